"""Progress of ``strad describe``: a bar on a terminal, and what came of it, on standard error."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from strad.cues import AdEvent
from strad.timeline import Ms, to_seconds
from streaming.announcement import Announcement, WindowAsked
from streaming.media import MediaNotice


class DescribeProgress:
    """Use it as a context; feed it announcements."""

    def __init__(self, name: str) -> None:
        self._console = Console(stderr=True)
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

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def take(self, announcement: Announcement, duration: Ms | None) -> None:
        """Show how far it is; a notice is told in words."""
        match announcement:
            case AdEvent():
                self._events += 1
            case WindowAsked(cursor=cursor):
                at = f"{to_seconds(cursor):.0f} s, {self._events} AD"
                self._bar.update(self._task, total=duration, completed=cursor, at=at)
            case MediaNotice(message=message, t=t):
                self._console.print(f"strad: at {to_seconds(t):.1f} s: {message}", markup=False)
            case _:
                pass
