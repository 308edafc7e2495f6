"""One thread, one thing after another; whoever is gone is not worked for, and nothing hangs."""

from __future__ import annotations

import asyncio
import threading

import pytest

from strad_engines.engine_errors import EngineError, EngineSlowError
from strad_engines.model_thread import ModelThread, Stopped

pytestmark = pytest.mark.unit

LIMIT_S = 10.0


class UntilStopped:
    """Work that goes on until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.over = threading.Event(), threading.Event()

    def __call__(self, stopped: Stopped) -> str:
        self.begun.set()
        pause = threading.Event()
        for _ in range(int(LIMIT_S / 0.005)):
            if stopped():
                break
            pause.wait(0.005)
        self.over.set()
        return "stopped"


def test_what_is_asked_is_done_off_the_loop_and_in_order() -> None:
    order: list[int] = []

    def append(n: int) -> int:
        order.append(n)
        return threading.get_ident()

    async def main() -> set[int]:
        async with ModelThread("model") as thread, asyncio.TaskGroup() as group:
            done = [group.create_task(thread.do(lambda _, n=n: append(n))) for n in range(5)]
        return {await task for task in done}

    idents = asyncio.run(main())
    assert order == [0, 1, 2, 3, 4]
    assert len(idents) == 1
    assert threading.get_ident() not in idents


def test_at_the_deadline_the_work_is_told_to_stop() -> None:
    work = UntilStopped()

    async def main() -> str:
        async with ModelThread("model") as thread:
            with pytest.raises(EngineSlowError, match=r"model: no answer in 0\.05 s"):
                await thread.do(work, deadline_s=0.05)
            return await thread.do(lambda _: "next", deadline_s=LIMIT_S)

    assert asyncio.run(main()) == "next"
    assert work.over.is_set()


def test_a_cancelled_caller_stops_the_work_and_closing_does_too() -> None:
    first, second = UntilStopped(), UntilStopped()

    async def main() -> None:
        async with ModelThread("model") as thread:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.05):
                    await thread.do(first)
            async with asyncio.TaskGroup() as group:
                task = group.create_task(thread.do(second))
                await asyncio.to_thread(second.begun.wait, LIMIT_S)
                await thread.__aexit__()
            assert task.result() == "stopped"

    asyncio.run(main())
    assert first.over.is_set()


def test_what_the_work_raises_is_raised_and_a_closed_thread_says_so() -> None:
    async def main() -> None:
        thread = ModelThread("model")
        with pytest.raises(EngineError, match="not open"):
            await thread.do(lambda _: None)
        async with thread:
            with pytest.raises(ZeroDivisionError):
                await thread.do(lambda _: 1 // 0)

    asyncio.run(main())
