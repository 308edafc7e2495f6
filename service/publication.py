"""A publication: one stream from its first publisher's hello to its end, over all its connections.

The broadcast runs on while connections come and go. A publisher that vanishes leaves the stream
interrupted; it may come back within the grace time and go on, here or, by what is kept in the log,
at another replica. One that doesn't has finished.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Literal

from service.attendance import Attendance
from service.beginning import Beginning
from service.broadcast import Broadcast
from service.equipment import Equipment
from service.fault import Fault
from service.intake import intake_for
from service.operations.live_quality import LiveQuality
from service.reporting import report
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

GONE = "the service is shutting down"

Why = Literal["finish", "shutdown", "gone"]


class HandedOverError(WorkError):
    """The stream is left to another process. Its publisher is told that this one is gone."""

    code = "handed-over"


class Publication:
    """Lives as long as ``run``; ``serve`` beside it, one connection after another."""

    def __init__(
        self,
        stream: Stream,
        beginning: Beginning,
        limits: Limits,
        equipment: Equipment,
        quality: LiveQuality,
    ) -> None:
        self.stream = stream
        self.quality = quality
        self._beginning = beginning
        self._limits = limits
        self._keeper = ResumeKeeper(stream.log, beginning.state)
        self.broadcast = Broadcast(
            stream,
            beginning,
            equipment,
            grace=limits.grace,
            given_up=lambda: self.drain("gone"),
            note=self._keeper.note,
            quality=quality,
        )
        reel, feed = self.broadcast.reel, self.broadcast.feed
        self.attendance = Attendance(reel, feed, beginning.plan, equipment.media)
        self.broadcast.notify = self.attendance.tell
        self._limit: asyncio.Timeout | None = None
        self._draining: Why | None = None
        self.leaving = False
        """Whether it is being handed over."""
        self.handed_over = False
        """Whether it is to be handed over, rather than drained, when the service goes away."""
        self._told: StreamState | None = None
        self._telling = asyncio.Lock()
        self._fault = Fault()

    async def begin(self) -> None:
        """Keep what others need to go on with the stream, before anybody gets the token."""
        await self._keeper.keep()

    async def run(self) -> None:
        """Until the stream has ended. Raises what ended it; everybody has been told then.

        Cancelled or handed over, it leaves the stream to whoever goes on with it.
        """
        plan, fields = self._beginning.plan, {"stream": self.stream.name}
        what = "goes on" if self._beginning.goes_on else "begins"
        name = plan.describer.name
        logger.info("stream %s: %s, described by %s", self.stream.name, what, name, extra=fields)
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
                await self._close(summary, error, left=left)
        if error is not None and not isinstance(error, HandedOverError):
            raise error

    async def serve(self, visit: Visit, hello: Hello) -> None:
        """One connection, to its close. It takes the place of an earlier one.

        Raises UnauthorizedError for another stream's token, UnknownLogError where the stream is
        about to end, ProtocolError for a bad ``at``.
        """
        if hello.resume is not None:
            ResumeToken.parse(hello.resume).check(self._beginning.state.digest)
        if self.leaving:
            raise PeerGoneError(GONE)
        if self._draining is not None:
            raise UnknownLogError(f"stream {self.stream.name} has ended: publish it anew")
        begins = self.attendance.begins(hello)
        visit.tell(_ready(self._beginning, self.broadcast, self._limits, self.stream.name))
        orders = self.attendance.welcome(visit, hello, lambda: self.drain("finish"))
        if hello.resume is not None:
            name, edge = self.stream.name, to_seconds(self.broadcast.reel.live_edge)
            fields = {"stream": name, "peer": visit.address}
            logger.info("stream %s: resumed at %.1f s", name, edge, extra=fields)
        await self._move(StreamState.LIVE)
        try:
            await visit.run(orders, intake_for(hello.container, begins))
        except StradError as error:
            self._fault.put(error)
        if self.attendance.is_here(visit) and visit.gone:
            await self._look(gone=True)

    def drain(self, why: Why) -> None:
        """Take no more media; say the rest within the limit. The first reason counts."""
        if self._draining is not None or self.leaving:
            return
        self._draining = why
        self.attendance.no_more_media(said=why == "finish")
        self._set_limit()
        if why != "gone":
            self.attendance.tell(Draining(reason=why, limit=self._limits.drain))

    def hand_over(self) -> None:
        """Stop, and leave the stream to another process: its log outlives this one.

        Its publisher is told how to go on with it. One that drains already is drained.
        """
        if self._draining is None and not self.leaving:
            self.leaving = True
            token = str(self._beginning.token)
            self.attendance.tell(Draining(reason="shutdown", limit=0.0, resume=token))
            self._fault.put(HandedOverError(f"{GONE}: go on with this stream elsewhere"))

    def _set_limit(self) -> None:
        if self._limit is not None and self._draining is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self._limits.drain)

    async def _work(self) -> Summary:
        async with asyncio.TaskGroup() as tasks:
            reporting = report(self.broadcast, self.attendance, self._look)
            helpers = (reporting, self._keeper.run(), self._fault.raised())
            running = [tasks.create_task(helper) for helper in helpers]
            summary = await self._describe()
            async with self._telling:  # who is telling a state isn't stopped in the middle of it
                for task in running:
                    task.cancel()
        await self._move(StreamState.DRAINING)
        self.attendance.tell(self.broadcast.progress(self.attendance.sent))
        self.attendance.tell(summary)
        return summary

    async def _describe(self) -> Summary:
        try:
            async with asyncio.timeout(None) as self._limit:
                self._set_limit()
                return await self.broadcast.run()
        except TimeoutError:
            message = f"the rest was given up after {self._limits.drain:g} s"
            edge = to_seconds(self.broadcast.feed.live_edge)
            self.attendance.tell(Warning(code="drain-limit", at=edge, message=message))
            return self.broadcast.so_far()
        finally:
            self._limit = None

    async def _look(self, *, gone: bool = False) -> None:
        """Tell the viewers where the stream stands; ``gone``: its publisher just left."""
        if self._draining is not None:
            await self._move(StreamState.DRAINING)
        elif gone and not self.leaving:
            fields = {"stream": self.stream.name}
            logger.info("stream %s: interrupted", self.stream.name, extra=fields)
            await self._move(StreamState.INTERRUPTED)

    async def _move(self, state: StreamState) -> None:
        """Tell the viewers, once; a log that can't be written ends the stream."""
        async with self._telling:
            if self._told in (state, StreamState.DRAINING):
                return
            self._told = state
            try:
                await self.stream.move(state)
            except StradError as error:
                self._fault.put(error)

    async def _close(
        self, summary: Summary | None, error: StradError | None, *, left: bool
    ) -> None:
        """Tell everybody. ``left``: another publisher has taken the stream over."""
        name = self.stream.name
        if left:
            await self.attendance.end(NotOwnedError("the stream goes on elsewhere"))
            return
        handed = isinstance(error, HandedOverError)
        fields = {"stream": name, "code": error.code if error is not None else "ok"}
        logger.info("stream %s: %s", name, _ending(summary, error), extra=fields)
        if not handed:
            gone = PeerGoneError(GONE) if self._draining == "shutdown" else None
            await self.attendance.end(error or gone)
        try:
            await (
                _hand_on(self._keeper, self.stream) if handed else self.stream.end(summary, error)
            )
        except (LogError, NotOwnedError) as lost:
            logger.warning("stream %s: its end could not be kept: %s", name, lost, extra=fields)
        if handed:
            await self.attendance.end(PeerGoneError(str(error)))


async def _hand_on(keeper: ResumeKeeper, stream: Stream) -> None:
    """Keep where the stream stands; viewers are told that it waits for its publisher."""
    await keeper.keep(exact=True)
    await stream.move(StreamState.INTERRUPTED)


def _ready(beginning: Beginning, broadcast: Broadcast, limits: Limits, stream: str) -> Ready:
    plan = beginning.plan
    return Ready(
        stream=stream,
        describer=plan.describer.name,
        draft=plan.describer.draft,
        delay=to_seconds(plan.config.delay),
        stride=to_seconds(plan.config.stride),
        max_message=limits.max_message,
        silence=limits.silence,
        resume=str(beginning.token),
        grace=limits.grace,
        live_edge=to_seconds(broadcast.reel.live_edge),
        captions=to_seconds(broadcast.feed.captions_to),
    )


def _ending(summary: Summary | None, error: StradError | None) -> str:
    """What came of a stream, in a line without anything that was said."""
    if isinstance(error, HandedOverError):
        return "is left to another process"
    if summary is None:
        return f"ends with {error.code}" if error is not None else "ends"
    drops = sum(summary.drops.values())
    return (
        f"ends after {summary.live_edge:.1f} s of media: {summary.events} descriptions, "
        f"{summary.withdrawn} withdrawn, {drops} dropped; {summary.windows} windows asked, "
        f"{summary.skipped} skipped"
    )
