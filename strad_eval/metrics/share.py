"""A figure that is one sum over another, so that parts of a set add up to the whole's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """``part`` of ``whole``. Its value is NaN where there is nothing to be a share of."""

    part: float
    whole: float

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole > 0 else float("nan")


def total(shares: Iterable[Share]) -> Share:
    """The share of all of them together."""
    parts = list(shares)
    return Share(sum(s.part for s in parts), sum(s.whole for s in parts))
