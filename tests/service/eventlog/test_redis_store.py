"""What is asked of Redis can be cancelled, at whatever moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.eventlog.redis_store import uncancelled

pytestmark = pytest.mark.service


async def answered_all_the_same() -> str:
    """Its cancellation comes along with its answer, and gets lost."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return "answer"
    raise AssertionError


async def fails_all_the_same() -> str:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        raise ConnectionError from None
    raise AssertionError


@pytest.mark.parametrize("asked", [answered_all_the_same, fails_all_the_same])
def test_a_cancellation_that_is_lost_on_the_way_counts(
    asked: Callable[[], Awaitable[str]],
) -> None:
    rounds: list[object] = []

    async def renew() -> None:
        while True:
            rounds.append(await uncancelled(asked()))

    async def go() -> None:
        async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
            task = tasks.create_task(renew())
            await asyncio.sleep(0)
            task.cancel()

    asyncio.run(go())
    assert rounds == []


def test_a_limit_that_passes_meanwhile_is_told_as_such() -> None:
    async def go() -> None:
        async with asyncio.timeout(0.01):
            await uncancelled(answered_all_the_same())

    with pytest.raises(TimeoutError):
        asyncio.run(go())


def test_an_answer_is_given() -> None:
    async def answer() -> str:
        return "answer"

    assert asyncio.run(uncancelled(answer())) == "answer"
