"""The SQLite file: one connection on a thread of its own, and what to say when it fails."""

from __future__ import annotations

import asyncio
import fcntl
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeVar

from strad.errors import InputError, LogError, StradError

SCHEMA = 1
"""The version of the tables below, in the file's ``user_version``."""

APPLICATION = 0x53747261
"""Marks the file as an event log of ours: "Stra"."""

BUSY = 5.0
"""Seconds to wait for somebody who holds the file, such as a backup."""

TABLES = """
CREATE TABLE logs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    stream TEXT NOT NULL,
    last INTEGER NOT NULL DEFAULT 0,
    standing TEXT NOT NULL DEFAULT '{}',
    ended INTEGER NOT NULL DEFAULT 0,
    state TEXT
);
CREATE INDEX newest ON logs (stream, id);
CREATE TABLE messages (
    log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (log, seq)
) WITHOUT ROWID;
"""

FLAGS = """
CREATE TABLE IF NOT EXISTS flags (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    log INTEGER NOT NULL REFERENCES logs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (log, key)
);
"""
"""Came later, within the same schema: a program that knows nothing of it leaves it alone."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


class SqliteFile:
    """Runs work on the file, one piece after the other, off the event loop's thread."""

    def __init__(self, path: Path, db: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self.path = path
        self._db = db
        self._thread = thread

    async def read(self, work: Work[T]) -> T:
        """What ``work`` finds. Raises LogError."""
        return await self._run(lambda: work(self._db))

    async def write(self, work: Work[T], then: Callable[[], object] | None = None) -> T:
        """What ``work`` gives, in a transaction; on disk when this returns. Raises LogError.

        Once begun it goes on though its caller is cancelled; ``then`` is called when it is done.
        """
        return await self._run(lambda: _in_transaction(self._db, work), then)

    async def _run(self, work: Callable[[], T], then: Callable[[], object] | None = None) -> T:
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._thread, lambda: _spoken(self.path, work))
        if then is not None:
            running.add_done_callback(lambda done: then() if _succeeded(done) else None)
        return await asyncio.shield(running)


def _succeeded(done: asyncio.Future[T]) -> bool:
    return not done.cancelled() and done.exception() is None


def _spoken(path: Path, work: Callable[[], T]) -> T:
    try:
        return work()
    except sqlite3.Error as error:
        raise LogError(f"event log {path}: {error}") from None


def _in_transaction(db: sqlite3.Connection, work: Work[T]) -> T:
    db.execute("BEGIN IMMEDIATE")
    try:
        result = work(db)
        db.execute("COMMIT")
    except (sqlite3.Error, StradError):
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    return result


@asynccontextmanager
async def open_sqlite(path: Path) -> AsyncIterator[SqliteFile]:
    """The file at ``path``, made where there is none. Raises LogError; InputError for no folder."""
    loop = asyncio.get_running_loop()
    with _only_user(path):
        thread = ThreadPoolExecutor(1, "event-log")
        try:
            db = await loop.run_in_executor(thread, lambda: _spoken(path, lambda: _open(path)))
            try:
                yield SqliteFile(path, db, thread)
            finally:
                await asyncio.shield(loop.run_in_executor(thread, db.close))
        finally:
            thread.shutdown()


@contextmanager
def _only_user(path: Path) -> Iterator[None]:
    """A lock beside the file. The system lets it go when the process dies, however it dies."""
    if not path.parent.is_dir():
        raise InputError(f"event log {path}: there is no folder {path.parent}")
    try:
        lock = path.with_name(path.name + ".lock").open("a")
    except OSError as error:
        raise LogError(f"event log {path}: {(error.strerror or str(error)).lower()}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LogError(
                f"event log {path} is in use by another process: "
                "give each its own file, or let them share a Redis"
            ) from None
        yield


def _open(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
    try:
        _check_version(db, path)
        db.execute("PRAGMA journal_mode=WAL")
        # With FULL a commit is on disk before it is announced; NORMAL would survive kill -9 only.
        db.execute("PRAGMA synchronous=FULL")
        db.execute("PRAGMA foreign_keys=ON")
        db.execute(FLAGS)
    except (sqlite3.Error, StradError):
        db.close()
        raise
    return db


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    mark = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if empty and not version:
        db.executescript(
            f"BEGIN IMMEDIATE; {TABLES} PRAGMA application_id={APPLICATION}; "
            f"PRAGMA user_version={SCHEMA}; COMMIT;"
        )
    elif mark != APPLICATION:
        raise LogError(f"event log {path}: this is some other program's database")
    elif version > SCHEMA:
        raise LogError(
            f"event log {path} was written by a newer version (its schema is {version}, "
            f"this version knows {SCHEMA}): update, or name another file"
        )
    elif version < SCHEMA:
        raise LogError(
            f"event log {path} was written by an older version (its schema is {version}, this "
            f"version needs {SCHEMA}): move the file away, or name another"
        )
