"""All figures of a set unit by unit, and what they come to by threshold, video, genre, whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from strad_eval.metrics.share import Share, total
from strad_eval.unit import Unit


@dataclass(slots=True)
class Tally:
    """Figures unit by unit. Two kinds: means over units and thresholds, and shares of sums."""

    units: list[Unit]
    means: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """Each of shape (units, thresholds), NaN where not defined."""
    shares: dict[str, list[Share]] = field(default_factory=dict)
    """Each one a unit."""
    thresholds: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Of each mean."""

    @property
    def names(self) -> list[str]:
        return [*self.means, *self.shares]

    def value(self, name: str, rows: Sequence[int] | None = None) -> float:
        """The figure over these units (all, without ``rows``). A row may come more than once.

        Means: over units, then over thresholds, as the papers do. NaN where nothing defines it.
        """
        if name in self.shares:
            shares = self.shares[name]
            return total(shares if rows is None else [shares[row] for row in rows]).value
        return _mean(self.by_threshold(name, rows))

    def by_threshold(self, name: str, rows: Sequence[int] | None = None) -> list[float]:
        """A mean's value at each of its thresholds."""
        table = self.means[name] if rows is None else self.means[name][list(rows)]
        return [_mean(column[~np.isnan(column)].tolist()) for column in table.T]

    def grouped(self, name: str, key: Callable[[Unit], str | None]) -> dict[str, float]:
        """The figure over the units of each key, in the order they come."""
        return {group: self.value(name, rows) for group, rows in self.rows_by(key).items()}

    def rows_by(self, key: Callable[[Unit], str | None]) -> dict[str, list[int]]:
        """Which units each key has; those without one are left out."""
        rows: dict[str, list[int]] = {}
        for row, unit in enumerate(self.units):
            group = key(unit)
            if group is not None:
                rows.setdefault(group, []).append(row)
        return rows

    def undefined(self, name: str) -> int:
        """How many units have no value for it."""
        if name in self.shares:
            return sum(1 for share in self.shares[name] if math.isnan(share.value))
        return int(np.isnan(self.means[name]).all(axis=1).sum())


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known) if known else float("nan")
