"""However appends, reads and waits fall together, each reader gets all messages once, in order."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.eventlog.log import EventLog, StreamLog
from service.eventlog.memory import MemoryEventLog
from service.eventlog.retention import Retention
from service.eventlog.sqlite import open_sqlite_log
from strad.errors import NotOwnedError
from strad.wire.viewing import End
from tests.service.eventlog.kinds import end, numbers, said

pytestmark = pytest.mark.service

NEAR = Retention(messages=1_000, near=4)

pauses = st.lists(st.integers(0, 3), min_size=1, max_size=25)
readers = st.lists(st.tuples(st.integers(1, 7), st.integers(0, 30)), min_size=1, max_size=5)


async def read_all(log: StreamLog, page: int, late: int) -> list[int]:
    """What a viewer who comes a little late sees, until the end."""
    for _ in range(late):
        await asyncio.sleep(0)
    seen: list[int] = []
    while True:
        assert await log.wait(seen[-1] if seen else 0)
        for entry in await log.read(seen[-1] if seen else 0, page):
            seen.append(entry.seq)
            if isinstance(entry.message, End):
                return seen


async def broadcast(logs: EventLog, steps: list[int], viewers: list[tuple[int, int]]) -> None:
    watched = await logs.expect("news")
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        reading = [tasks.create_task(read_all(watched, *viewer)) for viewer in viewers]
        async with logs.own("news") as log:
            for pause in steps:
                await log.append(said)
                for _ in range(pause):
                    await asyncio.sleep(0)
            await log.append(end)
    for task in reading:
        assert task.result() == list(range(1, len(steps) + 2))


@given(pauses, readers)
def test_readers_of_memory_get_all(steps: list[int], viewers: list[tuple[int, int]]) -> None:
    asyncio.run(broadcast(MemoryEventLog(), steps, viewers))


@settings(max_examples=25)
@given(pauses, readers)
def test_readers_of_a_file_get_all(steps: list[int], viewers: list[tuple[int, int]]) -> None:
    async def go(folder: str) -> None:
        async with open_sqlite_log(Path(folder) / "log.db", NEAR) as logs:
            await broadcast(logs, steps, viewers)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(go(folder))


async def quarrel(logs: EventLog, moves: list[tuple[bool, int]]) -> list[tuple[int, bool]]:
    """Owners take the stream over, or try to append: who, and whether it was let."""
    async with logs.own("news") as log:
        name = log.name
    held: dict[int, StreamLog] = {}
    tried: list[tuple[int, bool]] = []

    async def own(who: int, taken: asyncio.Event) -> None:
        with suppress(NotOwnedError):
            async with logs.own("news", resume=name, take_over=True) as log:
                held[who] = log
                taken.set()
                await asyncio.sleep(3_600)

    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        owners = []
        for takes, who in moves:
            if takes:
                taken = asyncio.Event()
                owners.append(tasks.create_task(own(who, taken)))
                await taken.wait()
            elif who in held:
                try:
                    await held[who].append(said)
                    tried.append((who, True))
                except NotOwnedError:
                    tried.append((who, False))
        for owner in owners:
            owner.cancel()
    found = await logs.find("news")
    assert found is not None
    assert await numbers(found) == list(range(1, sum(let for _, let in tried) + 1))
    return tried


def newest_only(moves: list[tuple[bool, int]]) -> list[tuple[int, bool]]:
    """What ought to come of it."""
    newest, seen, expected = -1, set(), []
    for takes, who in moves:
        if takes:
            newest = who
            seen.add(who)
        elif who in seen:
            expected.append((who, who == newest))
    return expected


quarrels = st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=20)


@given(quarrels)
def test_only_the_newest_owner_appends_to_memory(moves: list[tuple[bool, int]]) -> None:
    assert asyncio.run(quarrel(MemoryEventLog(), moves)) == newest_only(moves)


@settings(max_examples=25)
@given(quarrels)
def test_only_the_newest_owner_appends_to_a_file(moves: list[tuple[bool, int]]) -> None:
    async def go(folder: str) -> list[tuple[int, bool]]:
        async with open_sqlite_log(Path(folder) / "log.db", NEAR) as logs:
            return await quarrel(logs, moves)

    with tempfile.TemporaryDirectory() as folder:
        assert asyncio.run(go(folder)) == newest_only(moves)
