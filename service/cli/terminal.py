"""What commands print, and how they are run and stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer
from rich.console import Console

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
        f"{clock(summary.live_edge)} of media: {summary.events} descriptions, "
        f"{summary.withdrawn} withdrawn, {dropped} dropped; "
        f"{summary.windows} windows asked, {waited} waits, {summary.skipped} skipped"
    )


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work``; Ctrl-C cancels it, so that what is finished stays, and exits with 130."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        signal.signal(signal.SIGINT, before)
