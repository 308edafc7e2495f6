"""The streams this service knows: who publishes, who watches, and what was said."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from service.eventlog.log import StreamLog
from service.eventlog.memory import MemoryLog
from service.settings import Limits
from strad.errors import InputError, OverloadedError, StradError
from strad.wire.answering import Error, Summary
from strad.wire.message import STREAM_NAME
from strad.wire.viewing import About, End, Logged, State, StreamState


def check_name(name: str) -> None:
    """Raises InputError for what no stream may be called."""
    if not re.fullmatch(STREAM_NAME, name):
        raise InputError("a stream's name has 1 to 64 letters, digits, dots, dashes or underscores")


class Stream:
    """One programme under one name. After its end the name may be used again, for another one."""

    def __init__(self, name: str, log: StreamLog) -> None:
        self.name = name
        self.log = log
        self.state = StreamState.WAITING
        self.about: About | None = None
        self.viewers = 0
        self.over = False
        """Whether the log holds all it ever will."""
        self.failure: StradError | None = None
        """Why it ended, where it failed."""

    async def move(self, state: StreamState) -> None:
        """Enter ``state`` and tell the viewers."""
        self.state = state
        about = self.about

        def message(seq: int) -> Logged:
            return State(seq=seq, state=state, about=about)

        await self.log.append(message)

    async def end(self, summary: Summary | None, error: StradError | None) -> None:
        """Tell the viewers that nothing more will be said, and why."""
        self.failure = error
        if error is not None:
            refusal = Error.of(error)
            await self.log.append(lambda seq: refusal.model_copy(update={"seq": seq}))
        await self.move(StreamState.ENDED)
        await self.log.append(lambda seq: End(seq=seq, summary=summary))
        self.over = True


class Listing(NamedTuple):
    """One line of ``GET /v1/streams``."""

    stream: str
    state: StreamState
    viewers: int
    last: int


class Streams:
    """Finds streams by name and keeps their number within limits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._streams: dict[str, Stream] = {}
        self._viewers = 0
        self._left = asyncio.Event()
        self.closed = False
        """Whether new publishers and viewers are refused: the service is going away."""

    @asynccontextmanager
    async def publishing(self, name: str, about: About) -> AsyncIterator[Stream]:
        """The stream ``name``, taken by one publisher.

        Raises InputError where it is taken already, OverloadedError where there is no room.
        """
        self.check_open()
        stream = self._streams.get(name)
        if stream is not None and stream.state in (StreamState.LIVE, StreamState.DRAINING):
            raise InputError(f"stream {name} is already being published")
        if self.live >= self._limits.streams:
            raise OverloadedError(f"all {self.live} streams are in use; try again later")
        if stream is None or stream.state is StreamState.ENDED:
            stream = self._new(name)
        stream.about = about
        stream.state = StreamState.LIVE
        try:
            yield stream
        finally:
            stream.state = StreamState.ENDED
            self._forget_oldest()

    @asynccontextmanager
    async def viewing(self, name: str) -> AsyncIterator[Stream]:
        """The stream ``name``, or one that waits for its publisher; counted while watched.

        Raises OverloadedError where too many watch.
        """
        self.check_open()
        stream = self._streams.get(name)
        most = self._limits.viewers
        waiting = sum(s.viewers for s in self._streams.values() if s.state is StreamState.WAITING)
        if (stream.viewers if stream is not None else waiting) >= most:
            raise OverloadedError(f"{most} viewers are all this stream takes; try again later")
        if stream is None:
            stream = self._new(name)
        stream.viewers += 1
        self._viewers += 1
        try:
            yield stream
        finally:
            stream.viewers -= 1
            self._viewers -= 1
            self._left.set()
            if stream.state is StreamState.WAITING and not stream.viewers:
                self._streams.pop(name, None)

    def find(self, name: str) -> Stream | None:
        """The stream, where somebody has published it."""
        stream = self._streams.get(name)
        return stream if stream is not None and stream.about is not None else None

    @property
    def live(self) -> int:
        """How many are being published or drained."""
        busy = (StreamState.LIVE, StreamState.DRAINING)
        return sum(stream.state in busy for stream in self._streams.values())

    def listing(self) -> list[Listing]:
        return [Listing(s.name, s.state, s.viewers, s.log.last) for s in self._streams.values()]

    async def end_waiting(self, error: StradError) -> None:
        """Tell those who wait for a publisher that none will come."""
        for stream in [s for s in self._streams.values() if s.state is StreamState.WAITING]:
            await stream.end(None, error)

    async def wait_for_viewers(self, limit: float) -> None:
        """Return when nobody watches any more, or after ``limit`` wall seconds."""
        try:
            async with asyncio.timeout(limit):
                while self._viewers:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            return

    def _new(self, name: str) -> Stream:
        self._streams.pop(name, None)
        stream = Stream(name, MemoryLog(self._limits.max_log))
        self._streams[name] = stream
        return stream

    def _forget_oldest(self) -> None:
        ended = [s.name for s in self._streams.values() if s.state is StreamState.ENDED]
        for name in ended[: max(0, len(ended) - self._limits.remembered)]:
            del self._streams[name]

    def check_open(self) -> None:
        if self.closed:
            raise OverloadedError("the service is shutting down; try again soon")
