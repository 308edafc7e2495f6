"""A run's progress on a terminal: done, dropped, failed, tokens and cost."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from question_generation.cli.counted import cost_text, tokens_text
from question_generation.outcome import Outcome
from question_generation.spending import Spent
from question_generation.step_files import Counts


class ShownProgress:
    """A ``Progress``. Use as a context manager."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
        )
        console = Console(stderr=True)
        self._bar = Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        )
        self._task: TaskID | None = None
        self._spent, self._dropped, self._failed = Spent(), 0, 0

    def __enter__(self) -> ShownProgress:
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
        """See ``Progress``."""
        self._task = self._bar.add_task(step, total=total, told="")
        self._dropped = self._failed = 0

    def passed(self) -> None:
        """See ``Progress``."""
        if self._task is not None:
            self._bar.advance(self._task)

    def outcome(self, outcome: Outcome) -> None:
        """See ``Progress``."""
        self._failed += outcome.failed
        self._dropped += not outcome.failed and not outcome.lines
        self._spent.join(Spent.read(outcome.spent))
        if self._task is not None:
            told = f"{self._dropped} dropped, {self._failed} failed, {tokens_text(self._spent)}"
            self._bar.update(self._task, advance=1, told=f"{told} {cost_text(self._spent)}".strip())

    def step(self, step: str, counts: Counts) -> None:
        """See ``Progress``."""
        if self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
