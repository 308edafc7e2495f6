"""Correlations: worked by hand, held against scipy, and what must hold for any numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from strad_eval.study.agreement import alpha
from strad_eval.study.correlation import (
    MEASURES,
    Measure,
    Numbers,
    estimate,
    kendall,
    pearson,
    ranks,
    spearman,
)

pytestmark = pytest.mark.eval

Pairs = st.lists(
    st.tuples(st.integers(-5, 5), st.floats(-100, 100, allow_subnormal=False)),
    min_size=2,
    max_size=30,
)
SOME = st.sampled_from(list(MEASURES.values()))


def _columns(pairs: list[tuple[int, float]]) -> tuple[Numbers, Numbers]:
    table = np.array(pairs, dtype=np.float64)
    return table[:, 0], table[:, 1]


def _array(*values: float) -> Numbers:
    return np.array(values, dtype=np.float64)


def test_worked_by_hand() -> None:
    x, y = _array(1, 2, 3, 4), _array(1, 3, 2, 10)
    # Centred: (-1.5, -.5, .5, 1.5) and (-3, -1, -2, 6): products 4.5 + .5 - 1 + 9 = 13;
    # lengths sqrt 5 and sqrt 50: 13 / sqrt 250.
    assert pearson(x, y) == pytest.approx(13 / math.sqrt(250))
    # Ranks 1 2 3 4 and 1 3 2 4: 1 - 6 * 2 / (4 * 15) = 0.8.
    assert spearman(x, y) == pytest.approx(0.8)
    # Six pairs, one of them in the other order: (5 - 1) / 6.
    assert kendall(x, y) == pytest.approx(4 / 6)


def test_ties_share_a_rank_and_are_left_out_of_tau_b() -> None:
    assert ranks(_array(5, 1, 5, 9)).tolist() == [2.5, 1.0, 2.5, 4.0]
    # x ties one pair of three, y none; the two others agree: 2 / sqrt(2 * 3).
    assert kendall(_array(1, 1, 2), _array(1, 2, 3)) == pytest.approx(2 / math.sqrt(6))


@pytest.mark.parametrize("measure", MEASURES.values())
def test_nothing_is_said_of_too_little_or_of_what_never_changes(measure: Measure) -> None:
    assert math.isnan(measure(_array(1), _array(1)))
    assert math.isnan(measure(_array(1, 1, 1), _array(1, 2, 3)))
    assert math.isnan(measure(_array(0.1, 0.1, 0.1), _array(1, 2, 3)))


@given(Pairs)
def test_it_equals_scipy(pairs: list[tuple[int, float]]) -> None:
    stats = pytest.importorskip("scipy.stats", reason="scipy is not here to compare with")
    x, y = _columns(pairs)
    assume(len(set(x)) > 1 and y.max() - y.min() > 1e-6)
    assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-7)
    assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-9)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-9)


@given(Pairs, SOME)
def test_it_is_symmetric_bounded_and_turns_with_its_sign(
    pairs: list[tuple[int, float]], measure: Measure
) -> None:
    x, y = _columns(pairs)
    value = measure(x, y)
    assume(not math.isnan(value))
    assert -1 <= value <= 1
    assert measure(y, x) == pytest.approx(value, abs=1e-9)
    assert measure(-x, y) == pytest.approx(-value, abs=1e-9)
    order = np.arange(len(x))[::-1]
    assert measure(x[order], y[order]) == pytest.approx(value, abs=1e-9)


@given(Pairs)
def test_ranks_do_not_mind_a_rising_change(pairs: list[tuple[int, float]]) -> None:
    x, y = _columns(pairs)
    for measure in (spearman, kendall):
        value = measure(x, y)
        assume(not math.isnan(value))
        assert measure(np.exp(x) * 3 + 1, y) == pytest.approx(value, abs=1e-9)


def test_intervals_hold_the_value_and_are_the_same_each_time() -> None:
    draw = np.random.default_rng(0)
    x = draw.normal(size=60)
    y = x + draw.normal(size=60)
    groups = [str(i // 3) for i in range(60)]
    one = estimate(pearson, x, y, groups, samples=500)
    assert one == estimate(pearson, x, y, groups, samples=500)
    assert one.low < one.value < one.high
    assert 0.4 < one.value < 0.9
    assert one.high - one.low < 0.5


def test_points_of_one_excerpt_are_drawn_together() -> None:
    # Two excerpts of copies: as 40 points of their own the interval would be narrow.
    x = np.array([0.0, 1.0] * 10 + [1.0, 2.0] * 10)
    y = np.array([0.0, 1.0] * 10 + [2.0, 1.0] * 10)
    wide = estimate(pearson, x, y, ["a"] * 20 + ["b"] * 20)
    assert (wide.low, wide.high) == (pytest.approx(-1), pytest.approx(1))
    assert math.isnan(estimate(pearson, x, y, ["a"] * 40).low)


def test_agreement_is_krippendorffs_alpha() -> None:
    assert alpha([[1, 1], [3, 3], [5, 5]]) == 1.0
    assert math.isnan(alpha([[1], [2]]))
    assert math.isnan(alpha([[2, 2], [2, 2]]))
    # Seen: 2 (1-2)^2 / 1 = 2. All of 1 2 3 3: ordered squares 2 (1+4+4+1+1+0) = 22, over 3.
    assert alpha([[1, 2], [3, 3]]) == pytest.approx(1 - 2 / (22 / 3))
    # What one rating alone says is not counted.
    assert alpha([[1, 2], [3, 3], [5]]) == alpha([[1, 2], [3, 3]])
