"""A run's progress: a bar on a terminal, a line for every film elsewhere."""

from __future__ import annotations

from rich.console import Console

from strad.counted import counted
from strad.terminal_bar import TerminalBar
from training.preparing.run import Watcher

STEPS = {"films": "looking at films", "examples": "making examples"}


class FilmsShown(TerminalBar, Watcher):
    """Use as a context manager."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._done = self._total = 0

    def begin(self, step: str, total: int) -> None:
        """See ``Watcher``."""
        self.start(STEPS[step], total)
        self._done, self._total = 0, total

    def film(self, name: str, examples: int) -> None:
        """See ``Watcher``."""
        self._done += 1
        self.advance()
        if examples and not self.console.is_terminal:
            self.say(f"{name}: {counted(examples, 'example')} ({self._done} of {self._total})")
