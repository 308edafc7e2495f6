"""Flags in the SQLite file, beside the messages of their log; let go with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from service.eventlog.flags import MOST_FLAGS, KeptFlag, full, gone
from service.eventlog.sqlite_file import SqliteFile
from service.eventlog.sqlite_tables import Head


class SqliteFlags:
    """Of one log. ``head``: its row, once there is one."""

    def __init__(self, file: SqliteFile, head: Callable[[], Head | None]) -> None:
        self._file = file
        self._head = head

    async def put(self, flag: KeptFlag) -> bool:
        """See ``FlagBook``."""
        if (head := self._head()) is None:
            raise gone()
        return await self._file.write(lambda db: _put(db, head, flag))

    async def all(self) -> Sequence[KeptFlag]:
        """See ``FlagBook``."""
        if (head := self._head()) is None:
            return ()
        return await self._file.read(lambda db: _all(db, head))

    async def count(self) -> int:
        """See ``FlagBook``."""
        head = self._head()
        return 0 if head is None else await self._file.read(lambda db: _count(db, head))


def _put(db: sqlite3.Connection, head: Head, flag: KeptFlag) -> bool:
    place = (head.id, flag.key)
    known = db.execute(
        "UPDATE flags SET json = ? WHERE log = ? AND key = ?", (flag.to_json(), *place)
    )
    if known.rowcount:
        return True
    if not db.execute("SELECT 1 FROM logs WHERE id = ?", (head.id,)).fetchone():
        raise gone()
    if _count(db, head) >= MOST_FLAGS:
        raise full()
    db.execute("INSERT INTO flags (log, key, json) VALUES (?, ?, ?)", (*place, flag.to_json()))
    return False


def _all(db: sqlite3.Connection, head: Head) -> Sequence[KeptFlag]:
    rows = db.execute("SELECT json FROM flags WHERE log = ? ORDER BY id", (head.id,))
    return [KeptFlag.parse(json) for (json,) in rows]


def _count(db: sqlite3.Connection, head: Head) -> int:
    found = db.execute("SELECT count(*) FROM flags WHERE log = ?", (head.id,)).fetchone()
    count: int = found[0]
    return count
