"""Recall@k/N: windows and ranks, worked by hand on injected likenesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.metrics.recall_within import Matrix, Ties, rank_of_own, recall_within, windows

pytestmark = pytest.mark.eval


def _cut(whole: Matrix) -> object:
    return lambda first, last: whole[first:last, first:last]


@pytest.mark.parametrize(
    ("count", "n", "starts"),
    [
        (4, 5, []),
        (5, 5, [0]),
        (6, 5, [0]),  # step 5 // 2 = 2: the next would begin at 2 and need 7 rows
        (9, 5, [0, 2, 4]),
        (9, 4, [0, 2, 4]),  # the last row is in no window
        (3, 1, [0, 1, 2]),
    ],
)
def test_windows_begin_every_half_n_and_are_full(count: int, n: int, starts: list[int]) -> None:
    assert list(windows(count, n)) == starts


def test_hits_are_counted_over_the_rows_of_all_windows() -> None:
    whole = np.array(
        [
            [0.9, 0.1, 0.2, 0.0],  # own first of its window
            [0.5, 0.4, 0.0, 0.0],  # window 0..2: own second
            [0.0, 0.8, 0.7, 0.9],  # window 2..4: own second
            [0.0, 0.0, 0.1, 0.3],  # own first
        ]
    )
    # N = 2, step 1: windows 0-1, 1-2, 2-3.
    # 0-1: row 0 hits at 1; row 1 (0.5 > 0.4) doesn't. 1-2: row 1 hits; row 2 (0.8 > 0.7)
    # doesn't. 2-3: row 2 (0.9 > 0.7) doesn't; row 3 hits. At k = 1 3 of 6, at k = 2 all.
    first, second = recall_within(_cut(whole), [False] * 4, (1, 2), 2)  # type: ignore[arg-type]
    assert (first.part, first.whole) == (3, 6)
    assert second.value == 1.0


def test_an_empty_description_never_hits_even_where_all_is_alike() -> None:
    (share,) = recall_within(_cut(np.zeros((2, 2))), [True, False], (2,), 2)  # type: ignore[arg-type]
    assert (share.part, share.whole) == (1, 2)


def test_too_few_rows_have_no_value() -> None:
    (share,) = recall_within(_cut(np.zeros((3, 3))), [False] * 3, (1,), 5)  # type: ignore[arg-type]
    assert np.isnan(share.value)


@pytest.mark.parametrize(
    ("ties", "ranks"),
    [("index", [0, 1, 2]), ("hit", [0, 0, 0]), ("miss", [2, 2, 2])],
)
def test_ties_are_decided_by_a_named_rule(ties: Ties, ranks: list[int]) -> None:
    assert rank_of_own(np.full((3, 3), 0.5), ties).tolist() == ranks


def test_what_is_not_a_number_is_last() -> None:
    block = np.array([[np.nan, 0.1], [0.3, 0.2]])
    assert rank_of_own(block).tolist() == [2, 1]


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_any_rising_change_of_the_likeness_changes_no_rank(n: int, seed: int) -> None:
    block = np.random.default_rng(seed).random((n, n))
    # BERTScore's rescaling is (x - b) / (1 - b), b = 0.83.
    assert rank_of_own(block).tolist() == rank_of_own((block - 0.83) / 0.17).tolist()
    assert (rank_of_own(block, "hit") <= rank_of_own(block, "index")).all()
    assert (rank_of_own(block, "index") <= rank_of_own(block, "miss")).all()
