"""How two lists of numbers go together: Pearson, Spearman, Kendall; and how sure that is.

Sources: Pearson 1895; Spearman 1904 with mean ranks for ties; Kendall 1945 (tau-b). Tests hold them
equal to scipy's where it is installed. Written out because scipy is no part of the light core.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Callable[[Numbers, Numbers], float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A correlation. ``low`` and ``high`` hold 95 % of the bootstrap samples; NaN for too few."""

    value: float
    low: float
    high: float


def pearson(x: Numbers, y: Numbers) -> float:
    """The correlation of the values; NaN where one of them never changes."""
    if len(x) < 2:
        return float("nan")
    # Scaled first: squares of very large or small numbers would be lost.
    a, b = _unit(x), _unit(y)
    if a is None or b is None:
        return float("nan")
    return float(np.clip(a @ b, -1.0, 1.0))


def spearman(x: Numbers, y: Numbers) -> float:
    """The correlation of the ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: Numbers, y: Numbers) -> float:
    """Tau-b: pairs in the same order less pairs in the other, over all that are not tied."""
    if len(x) < 2:
        return float("nan")
    a, b = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    apart = float(np.abs(a).sum()) * float(np.abs(b).sum())
    return float((a * b).sum() / np.sqrt(apart)) if apart else float("nan")


MEASURES: dict[str, Measure] = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def ranks(x: Numbers) -> Numbers:
    """From 1; equal values share the mean of theirs."""
    _, place, count = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    mean = last - (count - 1) / 2.0
    found: Numbers = mean[place]
    return found


def estimate(
    measure: Measure,
    x: Numbers,
    y: Numbers,
    groups: Sequence[str],
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """The measure and its bootstrap interval. What shares a group is drawn together.

    Points of one excerpt hang together: drawn one by one they would make it look too sure.
    """
    value = measure(x, y)
    members: dict[str, list[int]] = {}
    for row, group in enumerate(groups):
        members.setdefault(group, []).append(row)
    if len(members) < 2:
        return Estimate(value, float("nan"), float("nan"))
    parts = [np.array(rows) for rows in members.values()]
    draw = np.random.default_rng(seed)
    found = np.empty(samples)
    for sample in range(samples):
        rows = np.concatenate([parts[i] for i in draw.integers(len(parts), size=len(parts))])
        found[sample] = measure(x[rows], y[rows])
    known = found[~np.isnan(found)]
    if not len(known):
        return Estimate(value, float("nan"), float("nan"))
    low, high = np.quantile(known, [0.025, 0.975])
    return Estimate(value, float(low), float(high))


def _unit(x: Numbers) -> Numbers | None:
    """Centred, of length 1; None where nothing is left."""
    largest = float(np.abs(x).max())
    if largest == 0 or (x == x[0]).all():
        return None
    centred = x / largest - (x / largest).mean()
    length = float(np.sqrt(centred @ centred))
    return centred / length if length else None
