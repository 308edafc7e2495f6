"""How far a run is: what it tells, and one that says nothing."""

from __future__ import annotations

from typing import Protocol

from question_generation.outcome import Outcome
from question_generation.step_files import Counts


class Progress(Protocol):
    """Hears of everything as it happens. Called from the run's own thread or a crew's."""

    def begin(self, step: str, total: int) -> None:
        """A step with so many records is begun, or gone on with."""
        ...

    def passed(self) -> None:
        """A record was done before."""
        ...

    def outcome(self, outcome: Outcome) -> None:
        """A record is done."""
        ...

    def step(self, step: str, counts: Counts) -> None:
        """A step has ended, now or in an earlier run."""
        ...


class Silent:
    """A ``Progress`` for those who don't want to know."""

    def begin(self, step: str, total: int) -> None: ...

    def passed(self) -> None: ...

    def outcome(self, outcome: Outcome) -> None: ...

    def step(self, step: str, counts: Counts) -> None: ...
