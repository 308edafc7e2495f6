"""What is asked of the SQLite tables, each in one function."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from service.eventlog.entry import Entry
from service.eventlog.standing import Standing

TRIED = 65_536
"""Bytes written to see whether anything can be."""

_HEAD = "SELECT id, name, stream, last, standing FROM logs"


@dataclass(frozen=True, slots=True)
class Head:
    """One log's row."""

    id: int
    name: str
    stream: str
    last: int
    standing: Standing


def newest(db: sqlite3.Connection, stream: str) -> Head | None:
    """The newest log of ``stream``."""
    found = db.execute(f"{_HEAD} WHERE stream = ? ORDER BY id DESC LIMIT 1", (stream,))
    row = found.fetchone()
    return _head(row) if row is not None else None


def all_newest(db: sqlite3.Connection) -> Sequence[Head]:
    """Each stream's newest log, oldest first."""
    rows = db.execute(f"{_HEAD} WHERE id IN (SELECT max(id) FROM logs GROUP BY stream) ORDER BY id")
    return [_head(row) for row in rows]


def begin(db: sqlite3.Connection, name: str, stream: str) -> Head:
    """A new log."""
    row = db.execute("INSERT INTO logs (name, stream) VALUES (?, ?)", (name, stream)).lastrowid
    assert row is not None
    return Head(row, name, stream, 0, Standing())


def append(
    db: sqlite3.Connection, head: Head, entry: Entry, standing: Standing, most: int
) -> int | None:
    """Keep the next message, and only the newest ``most``. Else the number the log stands at."""
    moved = db.execute(
        "UPDATE logs SET last = ?, standing = ?, ended = ? WHERE id = ? AND last = ?",
        (entry.seq, standing.to_json(), standing.ended, head.id, entry.seq - 1),
    )
    if moved.rowcount != 1:
        return _last(db, head)
    db.execute("INSERT INTO messages VALUES (?, ?, ?)", (head.id, entry.seq, entry.json))
    db.execute("DELETE FROM messages WHERE log = ? AND seq <= ?", (head.id, entry.seq - most))
    return None


def page(db: sqlite3.Connection, head: Head, after: int, most: int) -> Sequence[Entry]:
    """Up to ``most`` messages after number ``after``."""
    rows = db.execute(
        "SELECT json FROM messages WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?",
        (head.id, after, most),
    )
    return [Entry.parse(json) for (json,) in rows]


def keep(db: sqlite3.Connection, head: Head, state: str) -> None:
    """The owner's resume state, in place of an earlier one."""
    db.execute("UPDATE logs SET state = ? WHERE id = ?", (state, head.id))


def kept(db: sqlite3.Connection, head: Head) -> str | None:
    """The newest resume state."""
    row = db.execute("SELECT state FROM logs WHERE id = ?", (head.id,)).fetchone()
    state: str | None = row[0] if row is not None else None
    return state


def forget(db: sqlite3.Connection, most: int) -> None:
    """Let go of logs that are over but the newest ``most``, with their messages."""
    over = (
        "SELECT id FROM logs WHERE ended OR id NOT IN (SELECT max(id) FROM logs GROUP BY stream) "
        "ORDER BY id DESC"
    )
    db.execute(f"DELETE FROM logs WHERE id IN ({over} LIMIT -1 OFFSET ?)", (most,))


def fill(db: sqlite3.Connection) -> None:
    """Write more than a message takes, so that there is room for one where this succeeds."""
    db.execute("CREATE TABLE IF NOT EXISTS tries (filler BLOB)")
    db.execute("INSERT INTO tries VALUES (zeroblob(?))", (TRIED,))


def clear(db: sqlite3.Connection) -> None:
    """Take back what ``fill`` wrote. In a transaction of its own: else nothing reaches the disk."""
    db.execute("DELETE FROM tries")


def _last(db: sqlite3.Connection, head: Head) -> int:
    row = db.execute("SELECT last FROM logs WHERE id = ?", (head.id,)).fetchone()
    last: int = row[0] if row is not None else 0
    return last


def _head(row: tuple[int, str, str, int, str]) -> Head:
    number, name, stream, last, standing = row
    return Head(number, name, stream, last, Standing.parse(standing))
