"""The event log in a SQLite file: for one process, whose restart loses nothing."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from weakref import WeakValueDictionary

from service.eventlog import sqlite_tables
from service.eventlog.entry import Entry
from service.eventlog.keeper import ApartError
from service.eventlog.kept_log import KeptLog
from service.eventlog.lease import Lease, Leases, taken
from service.eventlog.memory import check_resume
from service.eventlog.retention import Retention
from service.eventlog.sqlite_file import SqliteFile, open_sqlite
from service.eventlog.sqlite_flags import SqliteFlags
from service.eventlog.sqlite_tables import Head
from service.eventlog.standing import Listed, Standing
from service.eventlog.tail import Tail
from strad.errors import LogError, NotOwnedError


class SqliteKeeper:
    """Keeps one log's messages in the file. A log to come has no ``head`` there yet."""

    def __init__(self, file: SqliteFile, tail: Tail, most: int) -> None:
        self._file = file
        self._tail = tail
        self._most = most
        self.head: Head | None = None
        self.flags = SqliteFlags(file, lambda: self.head)

    async def persist(self, entry: Entry, standing: Standing, lease: Lease) -> None:
        """Return once the entry is on disk."""
        head = self._must_have_head()

        def work(db: sqlite3.Connection) -> None:
            lease.check()
            last = sqlite_tables.append(db, head, entry, standing, self._most)
            if last is not None:
                raise ApartError(last)

        await self._file.write(work, then=lambda: self._tail.add(entry))

    async def page(self, after: int, most: int) -> Sequence[Entry]:
        """Up to ``most`` kept messages after number ``after``, in order."""
        if (head := self.head) is None:
            return ()
        return await self._file.read(lambda db: sqlite_tables.page(db, head, after, most))

    def watching(self) -> AbstractContextManager[None]:
        """Nothing: only this process appends."""
        return nullcontext()

    async def keep(self, state: str, lease: Lease) -> None:
        """Keep the owner's resume state in place of an earlier one."""
        head = self._must_have_head()

        def work(db: sqlite3.Connection) -> None:
            lease.check()
            sqlite_tables.keep(db, head, state)

        await self._file.write(work)

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        if (head := self.head) is None:
            return None
        return await self._file.read(lambda db: sqlite_tables.kept(db, head))

    def _must_have_head(self) -> Head:
        if self.head is None:
            raise NotOwnedError("nobody has published this stream yet")
        return self.head


class SqliteLog(KeptLog):
    """A log whose place in the file is known, or will be once it is owned."""

    def __init__(self, name: str, file: SqliteFile, retention: Retention) -> None:
        tail = Tail(retention.held)
        self.keeper = SqliteKeeper(file, tail, retention.messages)
        super().__init__(name, tail, self.keeper, retention.messages)


class SqliteEventLog:
    """All streams' logs, in one file that this process alone uses."""

    lasting = True

    def __init__(self, file: SqliteFile, retention: Retention) -> None:
        self._file = file
        self._retention = retention
        self._leases = Leases()
        self._logs: WeakValueDictionary[str, SqliteLog] = WeakValueDictionary()
        self._expected: WeakValueDictionary[str, SqliteLog] = WeakValueDictionary()
        self._finding = asyncio.Lock()

    async def find(self, stream: str) -> SqliteLog | None:
        """The newest log of ``stream``, to read; None where it was never published."""
        async with self._finding:
            return await self._newest(stream)

    async def expect(self, stream: str) -> SqliteLog:
        """The newest log of ``stream``; where there is none, the one to come."""
        async with self._finding:
            log = await self._newest(stream) or self._expected.get(stream)
            if log is None:
                self._expected[stream] = log = self._make(secrets.token_hex(8))
            return log

    @asynccontextmanager
    async def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AsyncIterator[KeptLog]:
        """The log of ``stream``, owned for as long as the context is open."""
        log = await self.find(stream)
        check_resume(stream, resume, log)
        if self._leases.holds(stream) and not take_over:
            raise taken(stream)
        lease = Lease(stream)
        self._leases.put(lease)
        try:
            async with lease.minded():
                if resume is None or log is None:
                    log = await self._begin(stream)
                yield log.owned_by(lease)
        finally:
            self._leases.give_back(lease)
            with suppress(LogError):  # the next owner tries again
                await self._file.write(lambda db: sqlite_tables.forget(db, self._retention.logs))

    async def owned(self, stream: str) -> bool:
        """Whether somebody appends to the stream's log now."""
        return self._leases.holds(stream)

    async def try_out(self) -> None:
        """Write some kilobytes that nobody reads. Raises LogError where nothing can be kept."""
        await self._file.write(sqlite_tables.fill)
        await self._file.write(sqlite_tables.clear)

    async def listed(self) -> Sequence[Listed]:
        """Every stream that has a log, oldest log first."""
        heads = await self._file.read(sqlite_tables.all_newest)
        return [
            Listed(
                head.stream, head.name, head.last, head.standing, self._leases.holds(head.stream)
            )
            for head in heads
        ]

    async def _begin(self, stream: str) -> SqliteLog:
        async with self._finding:
            log = self._expected.get(stream) or self._make(secrets.token_hex(8))
            log.keeper.head = await self._file.write(
                lambda db: sqlite_tables.begin(db, log.name, stream)
            )
            self._expected.pop(stream, None)
            return log

    async def _newest(self, stream: str) -> SqliteLog | None:
        head = await self._file.read(lambda db: sqlite_tables.newest(db, stream))
        return await self._of(head) if head is not None else None

    async def _of(self, head: Head) -> SqliteLog:
        if (log := self._logs.get(head.name)) is not None:
            return log
        log = self._make(head.name)
        log.keeper.head = head
        near = self._retention.held
        newest = await self._file.read(
            lambda db: sqlite_tables.page(db, head, head.last - near, near)
        )
        log.tail.load(head.last, head.standing, newest)
        return log

    def _make(self, name: str) -> SqliteLog:
        self._logs[name] = log = SqliteLog(name, self._file, self._retention)
        return log


@asynccontextmanager
async def open_sqlite_log(
    path: Path, retention: Retention | None = None
) -> AsyncIterator[SqliteEventLog]:
    """The event log in the file at ``path``. Raises LogError where it can't be used."""
    async with open_sqlite(path) as file:
        yield SqliteEventLog(file, retention or Retention())
