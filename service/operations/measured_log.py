"""A measured event log: how long it takes to keep a message, what could not be kept, and why."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from service.eventlog.entry import Entry
from service.eventlog.log import EventLog, StreamLog
from service.eventlog.standing import Listed, Standing
from service.operations.metrics import Metrics
from service.operations.tracing import Tracer
from service.operations.write_watch import WriteWatch
from strad.errors import StradError
from strad.wire.viewing import Logged


class MeasuredStreamLog:
    """A log that this process owns. Reading it costs nothing more."""

    def __init__(
        self, log: StreamLog, metrics: Metrics, tracer: Tracer, writes: WriteWatch
    ) -> None:
        self._log = log
        self._metrics = metrics
        self._tracer = tracer
        self._writes = writes
        self.read = log.read
        self.wait = log.wait
        self.shut = log.shut
        self.kept = log.kept
        self.flags = log.flags

    @property
    def name(self) -> str:
        return self._log.name

    @property
    def last(self) -> int:
        return self._log.last

    @property
    def first(self) -> int:
        return self._log.first

    @property
    def standing(self) -> Standing:
        return self._log.standing

    async def append(self, make: Callable[[int], Logged]) -> Entry:
        """See ``StreamLog``."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        try:
            with self._tracer.span("strad.append"), self._writes.writing():
                entry = await self._log.append(make)
        except StradError as error:
            self._metrics.log_errors.labels(error.code).inc()
            raise
        self._metrics.log_append.observe(clock() - begun)
        return entry

    async def keep(self, state: str) -> None:
        """See ``StreamLog``."""
        with self._writes.writing():
            await self._log.keep(state)


class MeasuredEventLog:
    """All logs; those that are owned are measured."""

    def __init__(self, log: EventLog, metrics: Metrics, tracer: Tracer) -> None:
        self._log = log
        self._metrics = metrics
        self._tracer = tracer
        self.find = log.find
        self.expect = log.expect
        self.owned = log.owned
        self.try_out = log.try_out
        self.writes = WriteWatch(log.try_out)

    @property
    def lasting(self) -> bool:
        return self._log.lasting

    @asynccontextmanager
    async def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AsyncIterator[StreamLog]:
        """See ``EventLog``."""
        with self.writes.writing():
            async with self._log.own(stream, resume=resume, take_over=take_over) as log:
                yield MeasuredStreamLog(log, self._metrics, self._tracer, self.writes)

    async def listed(self) -> Sequence[Listed]:
        """See ``EventLog``."""
        try:
            return await self._log.listed()
        except StradError as error:
            self._metrics.log_errors.labels(error.code).inc()
            raise
