"""A long run's bar on a terminal: how much is done, the time left, and a few words of it."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)


class TerminalBar:
    """One bar, gone at the end; nothing where the console is no terminal.

    Use as a context manager.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}", markup=False),
        )
        off = not console.is_terminal
        self._bar = Progress(*columns, console=console, transient=True, disable=off)
        self._task: TaskID | None = None

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

    def start(self, what: str, total: int) -> None:
        """Another thing is done, so many times; the bar of the last is gone."""
        self.clear()
        self._task = self._added(what, total)

    def advance(self, times: int = 1) -> None:
        """Once more it is done, or so many times."""
        if self._task is not None:
            self._bar.advance(self._task, times)

    def show(self, what: str, done: int, total: int) -> None:
        """So much is done, begun here or in an earlier run."""
        if self._task is None:
            self._task = self._added(what, total)
        self._bar.update(self._task, description=what, completed=done, total=total)

    def tell(self, words: str) -> None:
        """What stands behind the bar from now on."""
        if self._task is not None:
            self._bar.update(self._task, told=words)

    def clear(self) -> None:
        """Nothing is being done."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None

    def say(self, line: str) -> None:
        """A line that stays."""
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _added(self, what: str, total: int) -> TaskID:
        return self._bar.add_task(what, total=total, told="")
