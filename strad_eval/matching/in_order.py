"""The best one-to-one matching that keeps both orders: SODA's, over the pairs that count only.

Source: Fujita et al., "SODA" (ECCV 2020), equation 4, built from the definition. The published
program fills a table of references by predictions by recursion and dies at about 500 of each;
here a running best over the predictions (a Fenwick tree) takes time k log n for k pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def best_total(
    g: NDArray[np.int64], p: NDArray[np.int64], weight: NDArray[np.float64], predictions: int
) -> float:
    """The largest sum of weights over pairs of which none share or cross.

    ``g`` and ``p`` are positions in time order, ``weight`` is not negative.
    """
    return _Ladder(predictions).climb(g, p, weight)[0]


def best_pairs(
    g: NDArray[np.int64], p: NDArray[np.int64], weight: NDArray[np.float64], predictions: int
) -> list[int]:
    """The rows of one matching that reaches ``best_total``, in time order. Rows of 0 are left out.

    Where several matchings tie, the one whose last pair has the earliest prediction.
    """
    return _Ladder(predictions).climb(g, p, weight)[1]


class _Ladder:
    """For each prediction, the best total of a matching that ends at it or before."""

    def __init__(self, predictions: int) -> None:
        self._best = [(0.0, -1)] * (predictions + 1)

    def climb(
        self, g: NDArray[np.int64], p: NDArray[np.int64], weight: NDArray[np.float64]
    ) -> tuple[float, list[int]]:
        # Within one reference the last prediction first: none builds on a pair of the same one.
        order = np.lexsort((-p, g))
        came_from: dict[int, int] = {}
        top = (0.0, -1)
        for row in order[weight[order] > 0].tolist():
            total, before = self._up_to(int(p[row]))
            total += float(weight[row])
            came_from[row] = before
            self._raise(int(p[row]) + 1, (total, row))
            if total > top[0]:
                top = (total, row)
        return top[0], _trail(top[1], came_from)

    def _up_to(self, count: int) -> tuple[float, int]:
        """The best over the first ``count`` predictions."""
        best = (0.0, -1)
        while count > 0:
            if self._best[count][0] > best[0]:
                best = self._best[count]
            count -= count & -count
        return best

    def _raise(self, at: int, to: tuple[float, int]) -> None:
        while at < len(self._best):
            if to[0] > self._best[at][0]:
                self._best[at] = to
            at += at & -at


def _trail(row: int, came_from: dict[int, int]) -> list[int]:
    rows: list[int] = []
    while row >= 0:
        rows.append(row)
        row = came_from[row]
    return rows[::-1]


def positions(keys: Sequence[float] | NDArray[np.float64]) -> NDArray[np.int64]:
    """For each item its place once sorted by ``keys``; equal keys keep their order."""
    order = np.argsort(np.asarray(keys, dtype=np.float64), kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place
