"""What commands print, and how they are run and stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from functools import partial
from signal import SIGINT, SIGTERM
from types import FrameType
from typing import Any, TypeVar

import typer
from rich.console import Console

from strad.counted import counted
from strad.wire.answering import Summary

T = TypeVar("T")

console = Console(stderr=True, highlight=False, emoji=False)
"""For people. What programs read goes to stdout."""


def printable(text: str) -> str:
    """``text`` without what could steer a terminal: it may come from anybody."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def clock(seconds: float) -> str:
    """Media time for people: ``1:02:03.4``, ``02:03.4``."""
    tenths = round(seconds * 10)
    hours, rest = divmod(tenths, 36_000)
    minutes, rest = divmod(rest, 600)
    clock = f"{minutes:02}:{rest // 10:02}.{rest % 10}"
    return f"{hours}:{clock}" if hours else clock


def summary_line(summary: Summary) -> str:
    """A stream in one line."""
    dropped = sum(summary.drops.values())
    waited = sum(summary.waits.values())
    return (
        f"{clock(summary.live_edge)} of media: {counted(summary.events, 'description')}, "
        f"{summary.withdrawn} withdrawn, {dropped} dropped; "
        f"{counted(summary.windows, 'window')} asked, {counted(waited, 'wait')}, "
        f"{summary.skipped} skipped"
    )


class Interrupt:
    """What Ctrl-C does: at first it cancels the work, then what it did before.

    asyncio's own way raises KeyboardInterrupt at the second, in the midst of whatever cleans up.
    """

    def __init__(self) -> None:
        self._before = signal.getsignal(SIGINT)
        self._cancel: Callable[[], object] | None = None
        """While there is work that wasn't cancelled yet."""
        self.asked = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self._cancel is not None:
            self.asked = True
            self._cancel()
            self._cancel = None
        elif callable(self._before):
            self._before(number, frame)

    async def over(self, work: Coroutine[Any, Any, T]) -> T:
        """``work``, cancelled when asked."""
        task = asyncio.current_task()
        assert task is not None
        self._cancel = partial(task.get_loop().call_soon_threadsafe, task.cancel)
        try:
            return await work
        finally:
            self._cancel = None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work``; Ctrl-C cancels it, so that what is finished stays, and exits with 130.

    So does SIGTERM, by which machines end programs.
    """
    interrupt = Interrupt()
    before = {number: signal.signal(number, interrupt) for number in (SIGINT, SIGTERM)}
    try:
        return asyncio.run(interrupt.over(work))
    except (asyncio.CancelledError, KeyboardInterrupt) as cancelled:
        if interrupt.asked or isinstance(cancelled, KeyboardInterrupt):
            raise typer.Exit(130) from None
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
