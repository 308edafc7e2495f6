"""A publication: one stream from its first publisher's hello to its end, over all its connections.

The broadcast runs on while connections come and go. A publisher that vanishes leaves the stream
interrupted; it may come back within the grace time and go on, here or, by what is kept in the log,
at another replica. One that doesn't has finished.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Literal, NoReturn

from service.attendance import Attendance
from service.beginning import Beginning
from service.broadcast import Broadcast
from service.equipment import Equipment
from service.falling_behind import FallingBehind
from service.intake import intake_for
from service.media_watch import MediaWatch
from service.resume_keeper import ResumeKeeper
from service.resume_token import ResumeToken
from service.settings import Limits
from service.streams import Stream
from service.visit import Visit
from strad.errors import (
    LogError,
    NotOwnedError,
    PeerGoneError,
    StradError,
    UnknownLogError,
    WorkError,
    cause_of,
)
from strad.timeline import to_seconds
from strad.wire.answering import Draining, Ready, Summary, Warning
from strad.wire.publishing import Hello
from strad.wire.viewing import StreamState

logger = logging.getLogger(__name__)

REPORT_EVERY = 0.5
"""Wall seconds between two looks at the progress."""

REPORT_AT_LEAST = 10.0
"""Wall seconds after which progress is told even though nothing moved."""

Why = Literal["finish", "shutdown", "gone"]


class Publication:
    """Lives as long as ``run``; ``serve`` beside it, one connection after another."""

    def __init__(
        self, stream: Stream, beginning: Beginning, limits: Limits, equipment: Equipment
    ) -> None:
        self.stream = stream
        self._beginning = beginning
        self._limits = limits
        self._keeper = ResumeKeeper(stream.log, beginning.state)
        self._broadcast = Broadcast(
            stream,
            beginning,
            equipment,
            grace=limits.grace,
            given_up=lambda: self.drain("gone"),
            note=self._keeper.note,
        )
        reel, feed = self._broadcast.reel, self._broadcast.feed
        self.attendance = Attendance(reel, feed, beginning.plan, equipment.media)
        self._broadcast.notify = self.attendance.tell
        self._limit: asyncio.Timeout | None = None
        self._draining: Why | None = None
        self._told: StreamState | None = None
        self._broken: asyncio.Queue[StradError] = asyncio.Queue(1)

    async def begin(self) -> None:
        """Keep what others need to go on with the stream, before anybody gets the token."""
        await self._keeper.keep()

    async def run(self) -> None:
        """Until the stream has ended. Raises what ended it; everybody has been told then.

        Cancelled, it leaves the stream to whoever goes on with it.
        """
        plan = self._beginning.plan
        logger.info("stream %s: begins, described by %s", self.stream.name, plan.describer.name)
        error: StradError | None = WorkError("the service failed at work on this stream")
        summary: Summary | None = None
        left = False
        try:
            summary = await self._work()
            error = None
        except BaseExceptionGroup as group:
            cause = cause_of(group)
            if not isinstance(cause, StradError):
                raise
            error = cause
        except asyncio.CancelledError:
            left = True
            raise
        finally:
            try:
                await self._beginning.plan.aclose()
            finally:
                await (self._leave() if left else self._end(summary, error))
        if error is not None:
            raise error

    async def serve(self, visit: Visit, hello: Hello) -> None:
        """One connection, to its close. It takes the place of an earlier one.

        Raises UnauthorizedError for another stream's token, UnknownLogError where the stream is
        about to end, ProtocolError for a bad ``at``.
        """
        if hello.resume is not None:
            ResumeToken.parse(hello.resume).check(self._beginning.state.digest)
        if self._draining is not None:
            raise UnknownLogError(f"stream {self.stream.name} has ended: publish it anew")
        begins = self.attendance.begins(hello)
        visit.tell(self._ready())
        orders = self.attendance.welcome(visit, hello, lambda: self.drain("finish"))
        await self._move(StreamState.LIVE)
        try:
            await visit.run(orders, intake_for(hello.container, begins))
        except StradError as error:
            self._break(error)
        if self.attendance.is_here(visit) and visit.gone and self._draining is None:
            await self._move(StreamState.INTERRUPTED)

    def drain(self, why: Why) -> None:
        """Take no more media; say the rest within the limit. The first reason counts."""
        if self._draining is not None:
            return
        self._draining = why
        self.attendance.no_more_media(said=why == "finish")
        self._set_limit()
        if why != "gone":
            self.attendance.tell(Draining(reason=why, limit=self._limits.drain))

    def _set_limit(self) -> None:
        if self._limit is not None and self._draining is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._limits.drain)

    async def _work(self) -> Summary:
        async with asyncio.TaskGroup() as tasks:
            helpers = (self._report(), self._keeper.run(), self._raise_broken())
            running = [tasks.create_task(helper) for helper in helpers]
            summary = await self._describe()
            for task in running:
                task.cancel()
        await self._move(StreamState.DRAINING)
        self.attendance.tell(self._broadcast.progress(self.attendance.sent))
        self.attendance.tell(summary)
        return summary

    async def _describe(self) -> Summary:
        try:
            async with asyncio.timeout(None) as self._limit:
                self._set_limit()
                return await self._broadcast.run()
        except TimeoutError:
            message = f"the rest was given up after {self._limits.drain:g} s"
            edge = to_seconds(self._broadcast.feed.live_edge)
            self.attendance.tell(Warning(code="drain-limit", at=edge, message=message))
            return self._broadcast.so_far()
        finally:
            self._limit = None

    async def _report(self) -> NoReturn:
        clock = asyncio.get_running_loop().time
        behind, media = FallingBehind(clock()), MediaWatch(clock())
        reported, due = self._broadcast.progress(None), 0.0
        while True:
            progress = self._broadcast.progress(self.attendance.sent)
            if progress != reported or clock() >= due:
                reported, due = progress, clock() + REPORT_AT_LEAST
                self.attendance.tell(progress)
            for warning in behind.look(progress, clock()):
                await self._broadcast.warn(warning)
            media.look(self._broadcast.feed.live_edge, clock(), excused=self.attendance.excused)
            if self._draining:
                await self._move(StreamState.DRAINING)
            await asyncio.sleep(REPORT_EVERY)

    async def _raise_broken(self) -> NoReturn:
        raise await self._broken.get()

    def _break(self, error: StradError) -> None:
        if self._broken.empty():
            self._broken.put_nowait(error)

    async def _move(self, state: StreamState) -> None:
        """Tell the viewers, once; a log that can't be written ends the stream."""
        if self._told in (state, StreamState.DRAINING):
            return
        self._told = state
        try:
            await self.stream.move(state)
        except StradError as error:
            self._break(error)

    async def _leave(self) -> None:
        await self.attendance.end(NotOwnedError("the stream goes on elsewhere"))

    async def _end(self, summary: Summary | None, error: StradError | None) -> None:
        logger.info("stream %s: %s", self.stream.name, _ending(summary, error))
        going = self._draining == "shutdown"
        gone = PeerGoneError("the service is shutting down") if going else None
        await self.attendance.end(error or gone)
        try:
            await self.stream.end(summary, error)
        except (LogError, NotOwnedError) as lost:
            logger.warning("stream %s: its end could not be kept: %s", self.stream.name, lost)

    def _ready(self) -> Ready:
        plan, feed = self._beginning.plan, self._broadcast.feed
        return Ready(
            stream=self.stream.name,
            describer=plan.describer.name,
            draft=plan.describer.draft,
            delay=to_seconds(plan.config.delay),
            stride=to_seconds(plan.config.stride),
            max_message=self._limits.max_message,
            silence=self._limits.silence,
            resume=str(self._beginning.token),
            grace=self._limits.grace,
            live_edge=to_seconds(self._broadcast.reel.live_edge),
            captions=to_seconds(feed.captions_to),
        )


def _ending(summary: Summary | None, error: StradError | None) -> str:
    """What came of a stream, in a line without anything that was said."""
    if summary is None:
        return f"ends with {error.code}" if error is not None else "ends"
    drops = sum(summary.drops.values())
    return (
        f"ends after {summary.live_edge:.1f} s of media: {summary.events} descriptions, "
        f"{summary.withdrawn} withdrawn, {drops} dropped; {summary.windows} windows asked, "
        f"{summary.skipped} skipped"
    )
