"""The streams this service knows: who publishes, who watches, and what was said."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple

from service.abandoned import Abandoned, end_unfinished
from service.eventlog.log import EventLog, StreamLog
from service.settings import Limits
from service.stream import Stream, standing_state
from strad.errors import InputError, OverloadedError, StradError
from strad.wire.message import STREAM_NAME
from strad.wire.viewing import About, StreamState

__all__ = ["Listing", "Stream", "Streams", "check_name"]

LATER = 5.0
"""Wall seconds after which a place may be free."""

SOON = 1.0
"""Wall seconds after which another process, or the next one here, may answer."""


def check_name(name: str) -> None:
    """Raises InputError for what no stream may be called."""
    if not re.fullmatch(STREAM_NAME, name):
        raise InputError("a stream's name has 1 to 64 letters, digits, dots, dashes or underscores")


class Listing(NamedTuple):
    """One line of ``GET /v1/streams``."""

    stream: str
    state: StreamState
    viewers: int
    last: int


class Streams:
    """Finds streams by name and keeps their number within limits.

    Any process serves any stream's viewers and tracks: what it knows comes from the event log.
    Limits count what this process publishes and who watches here.
    """

    def __init__(self, limits: Limits, log: EventLog) -> None:
        self._limits = limits
        self._log = log
        self._streams: dict[str, Stream] = {}
        """Those published or watched here, by their log's name."""
        self.published: dict[StreamLog, Stream] = {}
        """Those that this process publishes."""
        self.viewers = 0
        """How many watch in this process."""
        self._left = asyncio.Event()
        self._abandoned = Abandoned(log)
        self.room: Callable[[], object] = lambda: None
        """Raises OverloadedError where one stream more would be too much."""
        self.closed = False
        """Whether new publishers and viewers are refused: the service is going away."""

    @asynccontextmanager
    async def publishing(
        self, name: str, about: About, *, resume: str | None = None, take_over: bool = False
    ) -> AsyncIterator[Stream]:
        """The stream ``name``, taken by one publisher: a new one, or the log ``resume`` gone on.

        Raises TakenError where it is taken already (unless ``take_over``), UnknownLogError where
        ``resume`` is not to be had, OverloadedError where there is no room, LogError; and
        NotOwnedError, the block being cancelled, where another publisher takes it over.
        Left without ``Stream.end``, it waits for its publisher to come back, anywhere.
        """
        self.check_open()
        again = any(log.name == resume for log in self.published)
        if self.live - again >= self._limits.streams:
            raise OverloadedError(f"{fullness(self)}; try again later", retry_after=LATER)
        self.room()
        if resume is None:
            await end_unfinished(self._log, name, "began anew", take_over=take_over)
        async with self._log.own(name, resume=resume, take_over=take_over) as log:
            stream = self._streams.setdefault(log.name, Stream(name, log))
            stream.taken(log, about)
            self.published[log] = stream
            try:
                yield stream
            finally:
                self.published.pop(log, None)
                stream.given_back(log)
                self._let_go(stream)

    @asynccontextmanager
    async def viewing(self, name: str) -> AsyncIterator[Stream]:
        """The stream ``name``, or one that waits for its publisher; counted while watched.

        Raises OverloadedError where too many watch here, LogError.
        """
        self.check_open()
        found = await self._look_at(name, await self._log.expect(name))
        stream = self._streams.get(found.log.name, found)
        most = self._limits.viewers
        waiting = sum(s.viewers for s in self._streams.values() if s.about is None)
        if (waiting if stream.about is None else stream.viewers) >= most:
            raise OverloadedError(
                f"{most} viewers are all this stream takes; try again later", retry_after=LATER
            )
        self._streams[stream.log.name] = stream
        stream.viewers += 1
        self.viewers += 1
        try:
            yield stream
        finally:
            stream.viewers -= 1
            self.viewers -= 1
            self._left.set()
            self._let_go(stream)

    async def find(self, name: str) -> Stream | None:
        """The stream, where somebody has published it and its log is kept. Raises LogError."""
        log = await self._log.find(name)
        stream = await self._look_at(name, log) if log is not None else None
        return stream if stream is not None and stream.about is not None else None

    @property
    def live(self) -> int:
        """How many are being published or drained in this process."""
        return len(self.published)

    async def listing(self) -> list[Listing]:
        """All streams with a log, and those that are waited for here. Raises LogError."""
        lines: list[Listing] = []
        here = dict(self._streams)
        for line in await self._log.listed():
            stream = here.pop(line.log, None)
            state = stream.state if stream is not None and stream.owned else standing_state(line)
            viewers = stream.viewers if stream is not None else 0
            lines.append(Listing(line.stream, state, viewers, line.last))
        waited = [stream for stream in here.values() if stream.about is None]
        return lines + [Listing(s.name, s.state, s.viewers, s.log.last) for s in waited]

    async def end_abandoned(self, now: float, grace: float) -> None:
        """End what nobody has owned for ``grace`` seconds; ``now`` is the loop's time.

        To be called every few seconds, by every process: whoever gets the lease writes the end. It
        is also how a process learns that the publisher of a stream watched here is gone, or back.
        Raises LogError.
        """
        for line in await self._abandoned.look(now):
            stream = self._streams.get(line.log)
            if stream is not None and stream.log not in self.published:
                stream.owned = line.owned
        await self._abandoned.end(now - grace)

    def leave(self, error: StradError) -> None:
        """Tell those who watch what this process does not publish that it goes away."""
        for stream in self._streams.values():
            if stream.log not in self.published and not stream.over:
                stream.leave(error)

    async def wait_for_viewers(self, limit: float) -> None:
        """Return when nobody watches any more, or after ``limit`` wall seconds."""
        try:
            async with asyncio.timeout(limit):
                while self.viewers:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            return

    def check_open(self) -> None:
        if self.closed:
            raise OverloadedError("the service is shutting down; try again soon", retry_after=SOON)

    async def _look_at(self, name: str, log: StreamLog) -> Stream:
        stream = self._streams.get(log.name) or Stream(name, log)
        if stream.log not in self.published:
            stream.owned = await self._log.owned(name)
        return stream

    def _let_go(self, stream: Stream) -> None:
        if not stream.viewers and stream.log not in self.published:
            self._streams.pop(stream.log.name, None)


def fullness(streams: Streams) -> str:
    """Why no other stream is taken, where all there may be are in use."""
    states = [stream.state for stream in streams.published.values()]
    waiting = states.count(StreamState.INTERRUPTED)
    kept = f" ({waiting} kept for publishers that may come back)" if waiting else ""
    return f"all {streams.live} streams are in use{kept}"
