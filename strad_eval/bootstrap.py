"""Paired bootstrap: how sure a difference between two systems is, from resampling the videos.

Source: Efron and Tibshirani 1993; paired as Koehn 2004 does for translation: each sample draws
videos with replacement and scores both systems on the same draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A. ``low`` and ``high`` hold 95 % of the samples; NaN with fewer than two videos."""

    a: float
    b: float
    low: float
    high: float
    same_or_worse: float
    """The share of samples in which B was not above A."""

    @property
    def difference(self) -> float:
        return self.b - self.a

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0


def compare_paired(
    rows: Sequence[Sequence[int]],
    a: Callable[[Sequence[int]], float],
    b: Callable[[Sequence[int]], float],
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Difference:
    """``rows`` are each video's rows; ``a`` and ``b`` score a system on some rows."""
    every = [row for video in rows for row in video]
    whole_a, whole_b = a(every), b(every)
    if len(rows) < 2:
        nan = math.nan
        return Difference(whole_a, whole_b, nan, nan, nan)
    draw = np.random.default_rng(seed)
    gaps = np.empty(samples)
    for sample in range(samples):
        drawn = [row for v in draw.integers(len(rows), size=len(rows)) for row in rows[v]]
        gaps[sample] = b(drawn) - a(drawn)
    known = gaps[~np.isnan(gaps)]
    if not len(known):
        return Difference(whole_a, whole_b, math.nan, math.nan, math.nan)
    low, high = np.quantile(known, [0.025, 0.975])
    return Difference(whole_a, whole_b, float(low), float(high), float((known <= 0).mean()))
