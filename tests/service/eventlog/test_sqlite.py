"""The SQLite event log: what a restart finds, and every way a file can be refused or fail."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from service.eventlog import sqlite_file
from service.eventlog.opening import open_event_log
from service.eventlog.retention import Retention
from service.eventlog.sqlite import SqliteEventLog, open_sqlite_log
from strad.errors import InputError, LogError
from strad.wire.viewing import StreamState
from tests.service.eventlog.kinds import end, live, numbers, said, say

pytestmark = pytest.mark.service


def test_a_restart_finds_all_as_it_was(tmp_path: Path) -> None:
    async def go() -> None:
        file, near = tmp_path / "log.db", Retention(near=20)
        async with open_sqlite_log(file, near) as logs, logs.own("news") as log:
            await log.append(live)
            await say(log, 70)
            await log.keep('{"cursor": 9}')
            first = [(entry.seq, entry.json) for entry in await log.read(0, 1_000)]
        async with open_sqlite_log(file, near) as logs:
            found = await logs.find("news")
            assert found is not None
            assert (found.name, found.last) == (log.name, 71)
            assert found.standing.state is not None
            assert found.standing.state.state is StreamState.LIVE
            assert [line.owned for line in await logs.listed()] == [False]
            assert [(entry.seq, entry.json) for entry in await found.read(0, 1_000)] == first
            assert await numbers(found, 65) == list(range(66, 72))
            async with logs.own("news", resume=log.name) as again:
                assert await again.kept() == '{"cursor": 9}'
                await say(again, 1)
                assert found.last == again.last == 72

    asyncio.run(go())


def test_a_commit_is_on_disk_before_anybody_is_told(tmp_path: Path) -> None:
    async def go() -> tuple[str, int]:
        async with sqlite_file.open_sqlite(tmp_path / "log.db") as file:
            return await file.read(
                lambda db: (
                    db.execute("PRAGMA journal_mode").fetchone()[0],
                    db.execute("PRAGMA synchronous").fetchone()[0],
                )
            )

    full = 2
    assert asyncio.run(go()) == ("wal", full)


def test_one_process_at_a_time_uses_a_file(tmp_path: Path) -> None:
    async def go() -> None:
        spec = f"sqlite:{tmp_path / 'log.db'}"
        async with open_event_log(spec):
            with pytest.raises(LogError, match="in use by another process: give each its own"):
                async with open_event_log(spec):
                    pytest.fail("two at once")
        async with open_event_log(spec):
            pass

    asyncio.run(go())


def newer(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=2")
    db.close()


def older(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("PRAGMA user_version=0")
    db.close()


def foreign(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE bookmarks (url TEXT)")
    db.close()


def garbage(file: Path) -> None:
    file.write_bytes(b"no database at all, but long enough to be looked at" * 50)


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (newer, "newer version .its schema is 2, this version knows 1"),
        (older, "older version .its schema is 0, this version needs 1"),
        (foreign, "some other program's database"),
        (garbage, "file is not a database"),
        (folder, "unable to open database file"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_in_one_line(
    tmp_path: Path, spoil: Callable[[Path], None], words: str
) -> None:
    file = tmp_path / "log.db"

    async def go() -> None:
        async with open_sqlite_log(file):
            pass

    asyncio.run(go())
    spoil(file)
    with pytest.raises(LogError, match=words) as refused:
        asyncio.run(go())
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("folder", ["file", "typo"])
def test_a_folder_that_is_none_is_refused_and_not_made(tmp_path: Path, folder: str) -> None:
    async def go() -> None:
        async with open_sqlite_log(tmp_path / folder / "log.db"):
            pytest.fail("no folder")

    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=f"there is no folder {tmp_path}"):
        asyncio.run(go())
    assert not (tmp_path / "typo").exists()


async def with_pragma(logs: SqliteEventLog, pragma: str) -> None:
    await logs._file.read(lambda db: db.execute(f"PRAGMA {pragma}").fetchone())


@pytest.mark.parametrize(
    ("fail", "mend", "words"),
    [
        ("max_page_count=12", "max_page_count=100000", "database or disk is full"),
        ("query_only=1", "query_only=0", "attempt to write a readonly database"),
    ],
)
def test_a_disk_that_takes_nothing_more_is_one_clear_error_and_no_announcement(
    tmp_path: Path, fail: str, mend: str, words: str
) -> None:
    async def go() -> None:
        async with open_sqlite_log(tmp_path / "log.db") as logs, logs.own("news") as log:
            await say(log, 3)
            await with_pragma(logs, fail)
            with pytest.raises(LogError, match=words):
                await say(log, 5_000)
            told = log.last
            with pytest.raises(LogError, match=words):
                await log.append(said)
            assert log.last == told
            await with_pragma(logs, mend)
            await say(log, 1)
            assert (await numbers(log))[-2:] == [told, told + 1]

    asyncio.run(go())


def test_a_file_that_somebody_holds_is_an_error_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY", 0.1)

    async def go() -> None:
        async with open_sqlite_log(tmp_path / "log.db") as logs, logs.own("news") as log:
            await say(log, 1)
            holder = sqlite3.connect(tmp_path / "log.db", isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(LogError, match="database is locked"):
                await log.append(said)
            holder.execute("ROLLBACK")
            holder.close()
            await say(log, 1)
            assert await numbers(log) == [1, 2]

    asyncio.run(go())


def test_what_is_let_go_leaves_the_file(tmp_path: Path) -> None:
    async def go() -> None:
        keep = Retention(messages=5, logs=2)
        async with open_sqlite_log(tmp_path / "log.db", keep) as logs:
            for name in "abc":
                async with logs.own(name) as log:
                    await say(log, 20)
                    await log.append(end)

    asyncio.run(go())
    db = sqlite3.connect(tmp_path / "log.db")
    rows = db.execute("SELECT stream, count(*) FROM logs JOIN messages ON log = id GROUP BY stream")
    assert rows.fetchall() == [("b", 5), ("c", 5)]
    db.close()
