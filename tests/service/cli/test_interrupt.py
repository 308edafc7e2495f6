"""Ctrl-C: once, the work is cancelled and cleans up; again, it is over at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from types import FrameType

import pytest
import typer

from service.cli.terminal import run

pytestmark = pytest.mark.unit


@pytest.fixture
def left() -> Iterator[list[int]]:
    """The times that what was there before us was called."""
    calls: list[int] = []

    def leave(number: int, frame: FrameType | None) -> None:
        del frame
        calls.append(number)

    before = signal.signal(signal.SIGINT, leave)
    yield calls
    signal.signal(signal.SIGINT, before)


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_ctrl_c_cancels_once_and_never_breaks_into_what_cleans_up(
    left: list[int], times: int
) -> None:
    cleaned: list[str] = []

    async def work() -> None:
        try:
            ctrl_c()
            await asyncio.sleep(60)
        finally:
            for _ in range(times - 1):
                ctrl_c()
            await asyncio.sleep(0)
            cleaned.append("all")

    with pytest.raises(typer.Exit) as ended:
        run(work())
    assert (ended.value.exit_code, cleaned) == (130, ["all"])
    assert left == [signal.SIGINT] * (times - 1)
    ctrl_c()
    assert len(left) == times


def test_ctrl_c_wakes_a_loop_that_waits(left: list[int]) -> None:
    async def work() -> None:
        asyncio.get_running_loop().call_later(0.05, ctrl_c)
        await asyncio.Event().wait()

    with pytest.raises(typer.Exit):
        run(work())
    assert left == []


def test_work_that_ends_gives_its_result(left: list[int]) -> None:
    async def work() -> int:
        return 7

    assert run(work()) == 7
    ctrl_c()
    assert len(left) == 1
