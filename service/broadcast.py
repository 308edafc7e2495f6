"""A broadcast: one stream's media in, its log out, from the first byte to the end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import aclosing
from typing import TypeAlias

from service.beginning import Beginning
from service.equipment import Equipment
from service.feed import Feed
from service.figures import Figures
from service.operations.live_quality import LiveQuality
from service.overhearing import Overhearing
from service.plan import Plan
from service.reel import Reel
from service.streams import Stream
from service.taping import Tape
from strad.cues import AdEvent
from strad.decision import Describe
from strad.timeline import Ms, to_seconds
from strad.wire.answering import Progress, Summary, Warning
from strad.wire.message import MAX_TEXT
from strad.wire.viewing import Ad, Logged, Withdraw
from streaming import announcement
from streaming.announcement import Announcement, Withdrawn
from streaming.driver import drive
from streaming.media import MediaNotice
from streaming.memory import Memory
from streaming.stats import SessionStats

logger = logging.getLogger(__name__)

Notify: TypeAlias = Callable[[Warning], object]


class Broadcast:
    """Persist, then announce: what is decided goes to the log, and from there to all viewers."""

    def __init__(
        self,
        stream: Stream,
        beginning: Beginning,
        equipment: Equipment,
        *,
        grace: float,
        given_up: Callable[[], object],
        note: Callable[[Memory], object],
        quality: LiveQuality,
    ) -> None:
        """``given_up`` is called when no media came for ``grace`` wall seconds after a break.

        ``note`` is told what is to be remembered, whenever all that was decided is in the log.
        """
        plan, memory = beginning.plan, beginning.state.memory
        self._stream = stream
        self._plan = plan
        self._equipment = equipment
        self._note = note
        self._quality = quality
        self._tape = Tape.of(plan, memory, stream.log.name)
        self._session = self._tape.session
        self.notify: Notify = _nobody
        """Told of warnings too."""
        self._progress: announcement.Progress | None = None
        self._figures = Figures(plan.config.stride)
        listened = plan.ears is not None
        self.reel = Reel(memory, grace=grace, given_up=given_up, listened=listened)
        self.feed = Feed(memory.reached.live_edge, memory.speech.words_until)
        self._overhearing = Overhearing(stream.asides, plan.config, quality)
        stream.asides.clock = lambda: self._session.clock.edge
        stream.asides.promised = memory.promised

    async def run(self) -> Summary:
        """Until the media has ended and all is said. Raises what the media or the work raises."""
        plan = self._plan
        with self._tape.running():
            return await self._described(plan)

    async def _described(self, plan: Plan) -> Summary:
        async with (
            aclosing(self.reel.media(self._rest)) as media,
            aclosing(self._overhearing.facts(self.feed.mix(media))) as facts,
        ):
            stats = await drive(
                facts,
                self._session,
                self._overhearing.ears(plan.ears),
                self._tape.describer,
                self._equipment.voice,
                self._announce,
                stall=None,
            )
        return summary_of(stats, self._figures)

    def so_far(self) -> Summary:
        """The summary of a stream that is cut short."""
        return summary_of(self._session.stats(), self._figures)

    def progress(self, sent: Ms | None) -> Progress:
        """Where the stream stands, ``sent`` being the sender's clock."""
        known = self._progress
        cursor = self._session.cursor
        edge = self.feed.live_edge
        return Progress(
            live_edge=to_seconds(edge),
            cursor=to_seconds(cursor),
            lag_emit=to_seconds(known.lag_emit) if known and known.lag_emit is not None else None,
            load=known.load if known else None,
            behind=to_seconds(max(edge, sent or 0) - cursor),
            skipped=self._session.stats().skipped,
        )

    async def _announce(self, said: Announcement) -> None:
        self._figures.take(said)
        self._tape.take(said)
        match said:
            case AdEvent():
                await self._stream.log.append(lambda seq: Ad.of(said, seq))
            case Withdrawn():
                edge = self._session.clock.edge
                await self._stream.log.append(lambda seq: _withdraw(said, edge, seq))
            case MediaNotice():
                await self.warn(_warning(said))
            case announcement.DescriberState():
                await self._tell_of_describer(said)
            case announcement.Progress():
                self._progress = said
                self._note(self._session.remember())
            case announcement.WindowAsked(decision=Describe() as describe):
                self._stream.asides.make_out(describe)
            case announcement.Dropped() | announcement.WindowAsked():
                pass
        self._quality.take(said)

    async def _tell_of_describer(self, said: announcement.DescriberState) -> None:
        if not said.up:
            logger.warning("stream %s: the describer is down: %s", self._stream.name, said.why)
        await self.warn(_of_describer(said))

    async def warn(self, warning: Warning) -> None:
        """Tell the viewers and the publisher."""
        await self._stream.log.append(lambda seq: warning.model_copy(update={"seq": seq}))
        self.notify(warning)

    async def _rest(self) -> None:
        if self._plan.ears is not None:
            await self._plan.ears.rest()


def _nobody(warning: Warning) -> None:
    del warning


def _withdraw(said: Withdrawn, edge: Ms, seq: int) -> Logged:
    return Withdraw(
        seq=seq,
        id=said.event_id,
        at=to_seconds(said.at),
        reason=said.reason,
        edge=to_seconds(edge),
    )


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
