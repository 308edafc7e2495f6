"""A broadcast: one stream's media in, its log out, from the first byte to the end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import aclosing
from typing import TypeAlias

from service.equipment import Equipment
from service.feed import Feed
from service.figures import Figures
from service.inlet import Inlet
from service.plan import Plan
from service.streams import Stream
from strad.cues import AdEvent
from strad.timeline import Ms, to_seconds
from strad.wire.answering import Progress, Summary, Warning
from strad.wire.message import MAX_TEXT
from strad.wire.viewing import Ad, Logged, Withdraw
from streaming import announcement
from streaming.announcement import Announcement, Withdrawn
from streaming.driver import drive
from streaming.media import MediaNotice
from streaming.session import Session
from streaming.stats import SessionStats

logger = logging.getLogger(__name__)

Notify: TypeAlias = Callable[[Warning], object]


class Broadcast:
    """Persist, then announce: what is decided goes to the log, and from there to all viewers."""

    def __init__(
        self, stream: Stream, plan: Plan, equipment: Equipment, inlet: Inlet, notify: Notify
    ) -> None:
        self._stream = stream
        self._plan = plan
        self._equipment = equipment
        self._notify = notify
        self._session = Session(
            plan.config, describer=plan.describer.name, draft=plan.describer.draft
        )
        self._progress: announcement.Progress | None = None
        self._inlet = inlet
        self._figures = Figures(plan.config.stride)
        self.feed = Feed()

    async def run(self) -> Summary:
        """Until the media has ended and all is said. Raises what the media or the work raises."""
        plan = self._plan
        async with (
            self._equipment.media(plan.container, self._inlet.chunks()) as media,
            aclosing(self.feed.mix(media)) as facts,
        ):
            stats = await drive(
                facts,
                self._session,
                plan.ears,
                plan.describer,
                self._equipment.voice,
                self._announce,
            )
        return summary_of(stats, self._figures)

    def so_far(self) -> Summary:
        """The summary of a stream that is cut short."""
        return summary_of(self._session.stats(), self._figures)

    def progress(self, sent: Ms | None) -> Progress:
        """Where the stream stands, ``sent`` being the sender's clock."""
        known = self._progress
        cursor = known.cursor if known else 0
        edge = self.feed.live_edge
        return Progress(
            live_edge=to_seconds(edge),
            cursor=to_seconds(cursor),
            lag_emit=to_seconds(known.lag_emit) if known and known.lag_emit is not None else None,
            load=known.load if known else None,
            behind=to_seconds((edge if sent is None else sent) - cursor),
            skipped=known.skipped if known else 0,
        )

    async def _announce(self, said: Announcement) -> None:
        self._figures.take(said)
        match said:
            case AdEvent():
                await self._stream.log.append(lambda seq: Ad.of(said, seq))
            case Withdrawn():
                await self._stream.log.append(lambda seq: _withdraw(said, seq))
            case MediaNotice():
                await self._warn(_warning(said))
            case announcement.DescriberState():
                if not said.up:
                    logger.warning(
                        "stream %s: the describer is down: %s", self._stream.name, said.why
                    )
                await self._warn(_of_describer(said))
            case announcement.Progress():
                self._progress = said
            case announcement.Dropped() | announcement.WindowAsked():
                pass

    async def _warn(self, warning: Warning) -> None:
        await self._stream.log.append(lambda seq: warning.model_copy(update={"seq": seq}))
        self._notify(warning)


def _withdraw(said: Withdrawn, seq: int) -> Logged:
    return Withdraw(seq=seq, id=said.event_id, at=to_seconds(said.at), reason=said.reason)


def _warning(said: MediaNotice) -> Warning:
    return Warning(
        code=said.code, at=to_seconds(said.t), message=said.message[:MAX_TEXT], count=said.count
    )


def _of_describer(said: announcement.DescriberState) -> Warning:
    """Why it is down is the operator's to know: it may name a server."""
    since, until = to_seconds(said.hole.start), to_seconds(said.hole.end)
    at = to_seconds(said.at)
    if not said.up:
        message = f"no description since {since:.1f} s: the describer does not answer"
        return Warning(code="describer-down", at=at, message=message)
    missed = f"nothing was looked at from {since:.1f} to {until:.1f} s"
    message = f"the describer is back; {missed if said.hole.duration else 'nothing was missed'}"
    return Warning(code="describer-up", at=at, message=message)


def summary_of(stats: SessionStats, figures: Figures) -> Summary:
    """The session's numbers, as the wire carries them."""
    return Summary(
        live_edge=to_seconds(stats.live_edge),
        windows=stats.windows,
        events=stats.events,
        withdrawn=stats.withdrawn,
        skipped=stats.skipped,
        no_gap=stats.no_gap,
        waits={str(reason): count for reason, count in stats.waits.items()},
        drops={str(reason): count for reason, count in stats.drops.items()},
        load=figures.load,
        rtf=figures.rtf,
        lag_cursor=figures.lag_cursor,
        lag_emit=figures.lag_emit,
    )
