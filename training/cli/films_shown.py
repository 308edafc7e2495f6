"""A run's progress: a bar on a terminal, a line for every film elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from training.preparing.run import Watcher

STEPS = {"films": "looking at films", "examples": "making examples"}


class FilmsShown(Watcher):
    """Use as a context manager."""

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._console = console
        self._bar = Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._task: TaskID | None = None
        self._done = self._total = 0

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

    def begin(self, step: str, total: int) -> None:
        """See ``Watcher``."""
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(STEPS[step], total=total)
        self._done, self._total = 0, total

    def film(self, name: str, examples: int) -> None:
        """See ``Watcher``."""
        self._done += 1
        if self._task is not None:
            self._bar.advance(self._task)
        if examples and not self._console.is_terminal:
            told = f"{name}: {examples} examples ({self._done} of {self._total})"
            self._console.print(told, markup=False, highlight=False, soft_wrap=True)
