"""The pool: earliest deadline first, bounded, quick work never behind slow work."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Awaitable, Callable

import pytest

from strad.errors import OverloadedError
from streaming.listening_pool import ListeningPool

pytestmark = pytest.mark.unit

LIMIT = 10.0


def in_real_time(scene: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Threads are real here, so the clock is too."""

    @functools.wraps(scene)
    def test() -> None:
        async def limited() -> None:
            async with asyncio.timeout(LIMIT):
                await scene()

        asyncio.run(limited())

    return test


def block(started: threading.Event, go_on: threading.Event) -> str:
    started.set()
    assert go_on.wait(LIMIT)
    return "blocked"


@in_real_time
async def test_the_earliest_deadline_goes_first() -> None:
    started, go_on, order = threading.Event(), threading.Event(), list[int]()
    async with ListeningPool(1) as pool:
        first = pool.slow(lambda: block(started, go_on), 0.0)
        later = [pool.slow(functools.partial(order.append, n), float(n)) for n in (3, 1, 2)]
        assert pool.waiting == 3
        go_on.set()
        assert await first == "blocked"
        await asyncio.wait(later)
    assert order == [1, 2, 3]


@in_real_time
async def test_quick_work_does_not_wait_for_slow_work() -> None:
    started, go_on = threading.Event(), threading.Event()
    async with ListeningPool(1) as pool:
        slow = pool.slow(lambda: block(started, go_on), 0.0)
        assert await pool.quick(lambda: "heard", 0.0) == "heard"
        assert not slow.done()
        go_on.set()
        await slow


@in_real_time
async def test_no_more_wait_than_there_is_room_for() -> None:
    started, go_on = threading.Event(), threading.Event()
    async with ListeningPool(1, room=1) as pool:
        running = pool.slow(lambda: block(started, go_on), 0.0)
        waiting = pool.slow(lambda: "second", 0.0)
        with pytest.raises(OverloadedError):
            pool.slow(lambda: "third", 0.0)
        waiting.cancel()
        again = pool.slow(lambda: "fourth", 0.0)
        go_on.set()
        assert await running == "blocked"
        assert await again == "fourth"


@in_real_time
async def test_an_error_reaches_whoever_asked() -> None:
    async with ListeningPool(1) as pool:
        with pytest.raises(ZeroDivisionError):
            await pool.slow(lambda: 1 // 0, 0.0)
        assert await pool.slow(lambda: 1, 0.0) == 1


@in_real_time
async def test_leaving_drops_what_waits() -> None:
    started, go_on = threading.Event(), threading.Event()
    async with ListeningPool(1) as pool:
        running = pool.slow(lambda: block(started, go_on), 0.0)
        waiting = pool.slow(lambda: "never", 0.0)
        go_on.set()
    assert waiting.cancelled()
    assert running.done()
    with pytest.raises(OverloadedError):
        pool.quick(lambda: None, 0.0)
