"""A training run on a terminal: steps, time left, loss; a line for each evaluation."""

from __future__ import annotations

import os
from collections.abc import Mapping
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

SHOWN = ("validation_loss", "exact", "wait_f1", "cider", "segment_cider")


class ShownProgress:
    """On standard error; of several processes only the first shows. Use as a context manager."""

    def __init__(self) -> None:
        self.console = Console(stderr=True, quiet=os.environ.get("RANK", "0") != "0")
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
        )
        off = not self.console.is_terminal
        self._bar = Progress(*columns, console=self.console, transient=True, disable=off)
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

    def told(self, what: str, step: int, steps: int, figures: Mapping[str, float]) -> None:
        """A step was made, or an evaluation."""
        if self._task is None:
            self._task = self._bar.add_task(what, total=steps, told="")
        self._bar.update(self._task, description=what, completed=step, total=steps)
        if "loss" in figures:
            told = f"loss {figures['loss']:.4f}, {figures.get('data_wait_share', 0):.0%} waiting"
            self._bar.update(self._task, told=told)
        if "validation_loss" in figures:
            shown = [f"{k.replace('_', ' ')} {figures[k]:.4g}" for k in SHOWN if k in figures]
            about = "" if what == "training" else f"{what}: "
            self.say(f"{about}step {step} of {steps}: {', '.join(shown)}")

    def say(self, line: str) -> None:
        """A line that stays."""
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)
