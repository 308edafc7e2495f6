"""A run's progress on a terminal: done, dropped, failed, tokens and cost."""

from __future__ import annotations

from rich.console import Console

from question_generation.cli.counted import cost_text, tokens_text
from question_generation.outcome import Outcome
from question_generation.spending import Spent
from question_generation.step_files import Counts
from strad.terminal_bar import TerminalBar


class ShownProgress(TerminalBar):
    """A ``Progress``. Use as a context manager."""

    def __init__(self) -> None:
        super().__init__(Console(stderr=True))
        self._spent, self._dropped, self._failed = Spent(), 0, 0

    def begin(self, step: str, total: int) -> None:
        """See ``Progress``."""
        self.start(step, total)
        self._dropped = self._failed = 0

    def passed(self) -> None:
        """See ``Progress``."""
        self.advance()

    def outcome(self, outcome: Outcome) -> None:
        """See ``Progress``."""
        self._failed += outcome.failed
        self._dropped += not outcome.failed and not outcome.lines
        self._spent.join(Spent.read(outcome.spent))
        told = f"{self._dropped} dropped, {self._failed} failed, {tokens_text(self._spent)}"
        self.tell(f"{told} {cost_text(self._spent)}".strip())
        self.advance()

    def step(self, step: str, counts: Counts) -> None:
        """See ``Progress``."""
        self.clear()
