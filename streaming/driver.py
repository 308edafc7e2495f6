"""Drive a Session with media, ears, a describer and a voice. The only task group of a stream.

Three tasks feed one bounded inbox: ``read`` (media), ``listen`` (speech and words) and one ``ask``
for each open question. One loop takes facts from the inbox, feeds the Session and carries out its
effects. The inbox is the whole flow control: a slow ``announce`` stops the loop, a full inbox stops
``read``, and a stopped ``read`` stops the source. Leaving the task group is the only cancellation.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias, assert_never

from strad.cues import AdEvent
from strad.errors import DescriberError, StradError, WorkError, cause_of
from strad.timeline import Ms
from strad_engines.engine_errors import EngineError
from streaming.announcement import Announcement, Dropped, Progress, WindowAsked, Withdrawn
from streaming.config import Pace
from streaming.describer_watch import DescriberWatch, unanswered
from streaming.describers.describer import Describer
from streaming.ears import Ears
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import Heard
from streaming.load import Load
from streaming.media import AudioChunk, Media, MediaNotice
from streaming.replies import Replies
from streaming.session import Session
from streaming.stats import SessionStats
from streaming.voices.voice import Voice

Announce: TypeAlias = Callable[[Announcement], Awaitable[None]]

INBOX = 64
"""Facts that may wait for the loop."""

STALL_LIMIT = 300.0
"""Seconds without any fact, with media left to deal with, after which the stream has failed."""

READ_AHEAD: Ms = 20_000
"""In replay, media is read this far ahead of what is dealt with."""

PROGRESS_EVERY = 2.0
"""Seconds between two progress announcements."""

REPLAY_PATIENCE = 120.0
"""In replay nothing is left out: a describer that is down is waited for so many seconds."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds between two tries then."""


async def drive(
    media: AsyncIterator[Media | Heard],
    session: Session,
    ears: Ears | None,
    describer: Describer,
    voice: Voice,
    announce: Announce,
    *,
    stall: float | None = STALL_LIMIT,
) -> SessionStats:
    """Run until the media has ended and everything decided has been announced or dropped.

    ``stall``: wall seconds without any fact after which it has failed; None: its caller watches.
    Raises whatever ``media``, ``ears`` or ``announce`` raise. A describer that fails is a WAIT, and
    told of when it goes on; in replay it is waited for, and in the end DescriberError is raised.
    """
    run = _Run(session, ears, describer, voice, announce, stall)
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run.take_in(media), name="take-in")
            await run.loop(tasks)
    except BaseExceptionGroup as group:
        raise cause_of(group) from group
    finally:
        if ears is not None:
            await ears.aclose()
    return session.stats()


class _Run:
    """One call of ``drive``."""

    def __init__(
        self,
        session: Session,
        ears: Ears | None,
        describer: Describer,
        voice: Voice,
        announce: Announce,
        stall: float | None,
    ) -> None:
        self._stall = stall
        self._session = session
        self._ears = ears
        self._replies = Replies(describer, voice)
        self._announce = announce
        self._inbox: asyncio.Queue[Fact] = asyncio.Queue(INBOX)
        self._moved = asyncio.Event()
        self._read_to: Ms = 0
        self._load = Load(session.config.stride)
        self._watch = DescriberWatch(session.config.window)
        self._lag_emit: Ms | None = None
        self._next_progress = 0.0

    async def take_in(self, media: AsyncIterator[Media | Heard]) -> None:
        """Read and listen until the media has ended and all in it has been heard."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(media), name="read")
            if self._ears is not None:
                tasks.create_task(self._listen(self._ears), name="listen")
        await self._inbox.put(MediaEnded())

    async def _read(self, media: AsyncIterator[Media | Heard]) -> None:
        async for item in media:
            if isinstance(item, AudioChunk):
                self._read_to = item.when.end
                await self._keep_near()
                if self._ears is not None:
                    await self._ears.hear(item)
            await self._inbox.put(item)
        if self._ears is not None:
            await self._ears.finish()

    async def _keep_near(self) -> None:
        """In replay nothing is skipped, so reading waits for what it is ahead of."""
        if self._session.config.pace is not Pace.EVERY_WINDOW:
            return
        while self._read_to - self._session.clock.now > READ_AHEAD:
            self._moved.clear()
            async with asyncio.timeout(STALL_LIMIT):
                await self._moved.wait()

    async def _listen(self, ears: Ears) -> None:
        async for heard in ears.findings():
            await self._inbox.put(heard)

    async def loop(self, tasks: asyncio.TaskGroup) -> None:
        """Feed facts, carry out effects, until the session is done."""
        while not self._session.done:
            fact = await self._next_fact()
            if isinstance(fact, MediaNotice):
                await self._announce(fact)
            await self._carry_out(self._session.feed(fact), tasks)
            self._moved.set()
            await self._tell_progress()

    async def _next_fact(self) -> Fact:
        try:
            async with asyncio.timeout(self._stall):
                return await self._inbox.get()
        except TimeoutError:
            raise WorkError(f"nothing has come for {self._stall:.0f} s") from None

    async def _carry_out(self, effects: list[Effect], tasks: asyncio.TaskGroup) -> None:
        in_order = self._session.config.pace is Pace.EVERY_WINDOW
        todo = deque(effects)
        while todo:
            effect = todo.popleft()
            match effect:
                case AskDescriber() | MeasureSpeech() if in_order:
                    todo.extend(self._session.feed(await self._reply_in_order(effect)))
                case AskDescriber() | MeasureSpeech():
                    tasks.create_task(self._reply_later(effect), name=type(effect).__name__)
                case WindowClosed():
                    await self._close(effect)
                case AdEvent():
                    self._lag_emit = effect.lag_emit
                    await self._announce(effect)
                case Withdrawn() | Dropped():
                    await self._announce(effect)
                case never:
                    assert_never(never)

    async def _reply_later(self, effect: AskDescriber | MeasureSpeech) -> None:
        await self._inbox.put(await self._replies.to(effect))

    async def _reply_in_order(self, effect: AskDescriber | MeasureSpeech) -> Answered | Measured:
        """The reply; while the describer is down, asked for again as long as patience lasts."""
        reply = await self._replies.to(effect)
        if isinstance(effect, MeasureSpeech):
            return reply
        clock = asyncio.get_running_loop().time
        pause, until = FIRST_PAUSE, clock() + REPLAY_PATIENCE
        while isinstance(reply, Answered) and unanswered(reply.decision):
            failure = self._replies.failure(reply.question)
            if not self._watch.down and not _is_outage(failure):
                break
            if state := self._watch.lost(effect.window.new_from, str(failure)):
                await self._announce(state)
            if clock() >= until or not _may_pass(failure):
                raise DescriberError(f"the describer is down: {failure}")
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            reply = await self._replies.to(effect)
        return reply

    async def _close(self, closed: WindowClosed) -> None:
        cost = self._replies.cost(closed.question)
        self._load.add(cost.wall)
        clock = self._session.clock
        asked = WindowAsked(
            cursor=closed.cursor,
            advance=closed.advance,
            wall=cost.wall,
            decision=closed.decision,
            emitted_at=clock.live_edge,
            stages=(("decide", cost.wall), *closed.decision.stages),
        )
        await self._announce(asked)
        why = str(cost.failure) if cost.failure else ""
        if state := self._watch.take(closed, why, clock.edge):
            await self._announce(state)

    async def _tell_progress(self) -> None:
        now = asyncio.get_running_loop().time()
        if now < self._next_progress:
            return
        self._next_progress = now + PROGRESS_EVERY
        await self._announce(
            Progress(
                live_edge=self._session.clock.live_edge,
                cursor=self._session.cursor,
                lag_emit=self._lag_emit,
                load=self._load.recent(),
                skipped=self._session.stats().skipped,
            )
        )


def _is_outage(failure: StradError | None) -> bool:
    """Whether the describer has lost its engine, and not failed of one window."""
    cause = failure.__cause__ if failure else None
    return isinstance(cause, EngineError) and cause.retryable


def _may_pass(failure: StradError | None) -> bool:
    """Whether what the describer failed of can end by itself."""
    cause = failure.__cause__ if failure else None
    return not isinstance(cause, StradError) or cause.retryable
