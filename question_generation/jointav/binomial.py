"""Whether an answerer was right more often than guessing is: an exact binomial test. Pure.

Null: each of its answers is right with the chance 1 / options, independently. One-sided. Of several
tests on one item each is held to ``alpha`` divided by their number (Bonferroni), so that a good
item is lost to any of them with a chance of ``alpha`` at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

from strad.errors import InputError


@lru_cache(maxsize=4096)
def tail(right: int, asked: int, chance: float) -> float:
    """How likely at least ``right`` of ``asked`` are, each with ``chance``."""
    return min(
        1.0,
        sum(
            comb(asked, k) * chance**k * (1 - chance) ** (asked - k)
            for k in range(max(0, right), asked + 1)
        ),
    )


@dataclass(frozen=True, slots=True)
class Significance:
    """How one item is tested."""

    asked: int
    """Answers of each answerer."""
    options: int = 4
    tests: int = 3
    """Answerers that are tested on the item."""
    alpha: float = 0.01
    """For all of them together."""

    def __post_init__(self) -> None:
        if self.options < 2 or self.tests < 1 or not 0 < self.alpha < 1:
            raise InputError("want at least 2 options, 1 test, and alpha between 0 and 1")
        if self.p(self.asked) > self.level:
            raise InputError(
                f"{self.asked} answers can't tell at alpha {self.alpha:g} over {self.tests} tests,"
                " even if all are right: ask more rounds"
            )

    @property
    def level(self) -> float:
        """What each test is held to."""
        return self.alpha / self.tests

    @property
    def needed(self) -> int:
        """The fewest right answers that are more than guessing."""
        return _needed(self.asked, 1 / self.options, self.level)

    def p(self, right: int, asked: int | None = None) -> float:
        """How likely so many right ones are by guessing."""
        return tail(right, self.asked if asked is None else asked, 1 / self.options)

    def settled(self, right: int, asked: int) -> bool | None:
        """Whether it is solved, as soon as no further answer can change that; None before."""
        if right >= self.needed:
            return True
        return False if right + self.asked - asked < self.needed else None


@lru_cache(maxsize=256)
def _needed(asked: int, chance: float, level: float) -> int:
    return next(k for k in range(asked + 1) if tail(k, asked, chance) <= level)
