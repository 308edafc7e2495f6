"""The event log in memory: gone with the process."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from weakref import WeakValueDictionary

from service.eventlog.entry import Entry
from service.eventlog.flags import MemoryFlags
from service.eventlog.kept_log import KeptLog
from service.eventlog.lease import Lease, Leases, taken
from service.eventlog.retention import Retention
from service.eventlog.standing import Listed, Standing
from service.eventlog.tail import Tail
from strad.errors import UnknownLogError


class MemoryKeeper:
    """Keeps no more than the tail does."""

    def __init__(self) -> None:
        self.flags = MemoryFlags()
        self._state: str | None = None

    async def persist(self, entry: Entry, standing: Standing, lease: Lease) -> None:
        """Nothing: the tail holds it."""

    async def page(self, after: int, most: int) -> Sequence[Entry]:
        """Nothing that the tail does not hold."""
        del after, most
        return ()

    def watching(self) -> AbstractContextManager[None]:
        """Nothing: only this process appends."""
        return nullcontext()

    async def keep(self, state: str, lease: Lease) -> None:
        """Keep the owner's resume state in place of an earlier one."""
        del lease
        self._state = state

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        return self._state


class MemoryEventLog:
    """Each stream's newest log, in this process only."""

    lasting = False

    def __init__(self, retention: Retention | None = None) -> None:
        self._retention = retention or Retention()
        self._newest: dict[str, KeptLog] = {}
        self._expected: WeakValueDictionary[str, KeptLog] = WeakValueDictionary()
        self._leases = Leases()

    async def find(self, stream: str) -> KeptLog | None:
        """The newest log of ``stream``, to read; None where it was never published."""
        return self._newest.get(stream)

    async def expect(self, stream: str) -> KeptLog:
        """The newest log of ``stream``; where there is none, the one to come."""
        log = self._newest.get(stream) or self._expected.get(stream)
        if log is None:
            self._expected[stream] = log = self._make()
        return log

    @asynccontextmanager
    async def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AsyncIterator[KeptLog]:
        """The log of ``stream``, owned for as long as the context is open."""
        newest = self._newest.get(stream)
        check_resume(stream, resume, newest)
        if self._leases.holds(stream) and not take_over:
            raise taken(stream)
        if resume is None or newest is None:
            newest = self._expected.pop(stream, None) or self._make()
            self._newest.pop(stream, None)
            self._newest[stream] = newest
        lease = Lease(stream)
        self._leases.put(lease)
        try:
            async with lease.minded():
                yield newest.owned_by(lease)
        finally:
            self._leases.give_back(lease)
            self._forget_oldest()

    async def owned(self, stream: str) -> bool:
        """Whether somebody appends to the stream's log now."""
        return self._leases.holds(stream)

    async def try_out(self) -> None:
        """Nothing: memory takes what it is given."""

    async def listed(self) -> Sequence[Listed]:
        """Every stream that has a log, oldest log first."""
        return [
            Listed(stream, log.name, log.last, log.standing, self._leases.holds(stream))
            for stream, log in self._newest.items()
        ]

    def _make(self) -> KeptLog:
        most = self._retention.messages
        return KeptLog(secrets.token_hex(8), Tail(most), MemoryKeeper(), most)

    def _forget_oldest(self) -> None:
        ended = [stream for stream, log in self._newest.items() if log.standing.ended]
        for stream in ended[: max(0, len(ended) - self._retention.logs)]:
            del self._newest[stream]


def check_resume(stream: str, resume: str | None, newest: KeptLog | None) -> None:
    """Raises UnknownLogError where ``resume`` is not the newest log, or has ended."""
    if resume is None:
        return
    if newest is None or newest.name != resume:
        raise UnknownLogError(f"stream {stream} has no log {resume:.40} to go on with")
    if newest.standing.ended:
        raise UnknownLogError(f"stream {stream} has ended: publish it anew")
