"""The event log numbers what it keeps, gives it back from any place, and wakes who waits."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.eventlog.memory import MemoryLog
from strad.wire.viewing import Logged, Withdraw

pytestmark = pytest.mark.unit


def said(seq: int) -> Logged:
    return Withdraw(seq=seq, id=f"ad-{seq}", at=0.0, reason="speech")


@given(st.integers(0, 30), st.integers(1, 12), st.integers(0, 35), st.integers(1, 10))
def test_reading_on_from_any_place_gives_what_is_kept_once_and_in_order(
    count: int, most: int, after: int, page: int
) -> None:
    async def go() -> list[int]:
        log = MemoryLog(most)
        for _ in range(count):
            await log.append(said)
        assert (log.last, log.first) == (count, max(1, count - most + 1))
        place, seen = after, []
        while entries := await log.read(place, page):
            seen += [entry.seq for entry in entries]
            place = entries[-1].seq
        return seen

    assert asyncio.run(go()) == list(range(max(after, count - most) + 1, count + 1))


def test_an_entry_holds_its_json() -> None:
    entry = asyncio.run(MemoryLog(3).append(said))
    assert entry.json == entry.message.to_json()


def test_waiting_ends_with_the_next_message() -> None:
    async def go() -> list[int]:
        log = MemoryLog(5)
        async with asyncio.TaskGroup() as tasks:
            waiting = [tasks.create_task(log.wait(place)) for place in (0, 0, 1)]
            await asyncio.sleep(0)
            await log.append(said)
            await asyncio.sleep(0)
            done = [task.done() for task in waiting]
            await log.append(said)
        return [int(d) for d in done]

    assert asyncio.run(go()) == [1, 1, 0]


def test_logs_have_names_of_their_own() -> None:
    assert MemoryLog(1).name != MemoryLog(1).name
