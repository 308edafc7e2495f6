"""The in-order matching, against SODA's table filled cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.matching.in_order import best_pairs, best_total, positions

pytestmark = pytest.mark.eval

_CELLS = st.dictionaries(
    st.tuples(st.integers(0, 9), st.integers(0, 9)), st.floats(0, 1), max_size=40
)


def _table(cells: dict[tuple[int, int], float]) -> float:
    """D[i,j] = max(D[i-1,j], D[i,j-1], D[i-1,j-1] + W[i,j]): the definition."""
    best = np.zeros((11, 11))
    for i in range(1, 11):
        for j in range(1, 11):
            took = best[i - 1, j - 1] + cells.get((i - 1, j - 1), 0.0)
            best[i, j] = max(best[i - 1, j], best[i, j - 1], took)
    return float(best[-1, -1])


def _columns(
    cells: dict[tuple[int, int], float],
) -> tuple[
    np.ndarray[tuple[int], np.dtype[np.int64]],
    np.ndarray[tuple[int], np.dtype[np.int64]],
    np.ndarray[tuple[int], np.dtype[np.float64]],
]:
    g = np.array([g for g, _ in cells], dtype=np.int64)
    p = np.array([p for _, p in cells], dtype=np.int64)
    return g, p, np.array(list(cells.values()), dtype=np.float64)


@given(_CELLS)
def test_the_best_total_is_the_tables(cells: dict[tuple[int, int], float]) -> None:
    assert best_total(*_columns(cells), 10) == pytest.approx(_table(cells), abs=1e-12)


@given(_CELLS)
def test_the_pairs_reach_it_and_neither_share_nor_cross(
    cells: dict[tuple[int, int], float],
) -> None:
    g, p, weight = _columns(cells)
    rows = best_pairs(g, p, weight, 10)
    assert weight[rows].sum() == pytest.approx(_table(cells), abs=1e-12)
    assert (np.diff(g[rows]) > 0).all()
    assert (np.diff(p[rows]) > 0).all()


def test_positions_sort_stably() -> None:
    assert positions([3.0, 1.0, 3.0, 2.0]).tolist() == [2, 0, 3, 1]


def test_ten_thousand_events_need_no_table() -> None:
    each = np.arange(10_000)
    assert best_total(each, each, np.full(10_000, 0.5), 10_000) == 5_000.0
