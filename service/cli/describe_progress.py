"""Progress of ``strad describe``: a bar on a terminal, and what came of it, on standard error."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from service.cli.terminal import clock, printable
from strad.cues import AdEvent
from strad.timeline import Ms, to_seconds
from streaming.announcement import Announcement, DescriberState, WindowAsked
from streaming.media import MediaNotice

ENGINE_LOG = logging.getLogger("strad_engines.openai_engine")
"""Warns while a server is asked again and again: for minutes nothing else is to be seen."""


class DescribeProgress:
    """Use it as a context; feed it announcements. ``aloud``: show each AD as it is decided."""

    def __init__(self, name: str, *, aloud: bool) -> None:
        self._console = Console(stderr=True, highlight=False, emoji=False)
        self._aloud = aloud
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[at]}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(f"describing {name}", total=None, at="")
        self._events = 0
        self._trouble = _Told(self._say)

    def __enter__(self) -> Self:
        self._bar.start()
        ENGINE_LOG.addHandler(self._trouble)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ENGINE_LOG.removeHandler(self._trouble)
        self._bar.stop()

    def take(self, announcement: Announcement, duration: Ms | None) -> None:
        """Show how far it is; a notice is told in words."""
        match announcement:
            case AdEvent():
                self._events += 1
                if self._aloud:
                    self._say(
                        f"{clock(to_seconds(announcement.cue.when.start))}  {_text(announcement)}"
                    )
            case WindowAsked(cursor=cursor):
                done = f"{to_seconds(cursor):.0f} s, {self._events} AD"
                self._bar.update(self._task, total=duration, completed=cursor, at=done)
            case MediaNotice(message=message, t=t):
                self._say(f"{clock(to_seconds(t))}: {message}")
            case DescriberState(at=at):
                self._say(f"{clock(to_seconds(at))}: {_state(announcement)}")
            case _:
                pass

    def _say(self, line: str) -> None:
        self._console.print(printable(line), markup=False, soft_wrap=True)


class _Told(logging.Handler):
    """Says warnings aloud."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(record.getMessage())


def _text(event: AdEvent) -> str:
    return event.cue.text + (" (draft)" if event.draft else "")


def _state(state: DescriberState) -> str:
    since, until = to_seconds(state.hole.start), to_seconds(state.hole.end)
    if not state.up:
        return f"the describer is down, nothing is described since {since:.1f} s: {state.why}"
    missed = f"nothing was looked at from {since:.1f} to {until:.1f} s"
    return f"the describer is back; {missed if state.hole.duration else 'nothing was missed'}"
