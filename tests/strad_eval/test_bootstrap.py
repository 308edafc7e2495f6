"""Paired bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from strad_eval.bootstrap import compare_paired

pytestmark = pytest.mark.eval


def _mean(values: list[float], rows: Sequence[int]) -> float:
    return sum(values[row] for row in rows) / len(rows)


ROWS = [[n] for n in range(40)]
A = [n / 40 for n in range(40)]


def test_a_constant_difference_has_no_width() -> None:
    found = compare_paired(ROWS, lambda r: _mean(A, r), lambda r: _mean(A, r) + 0.25)
    assert found.difference == pytest.approx(0.25)
    assert found.low == pytest.approx(0.25)
    assert found.high == pytest.approx(0.25)
    assert found.clear
    assert found.same_or_worse == 0.0


def test_noise_around_nothing_is_not_clear() -> None:
    b = [value + (0.1 if n % 2 else -0.1) for n, value in enumerate(A)]
    found = compare_paired(ROWS, lambda r: _mean(A, r), lambda r: _mean(b, r))
    assert found.low < 0 < found.high
    assert not found.clear
    # The spread of a mean of 40 values of +-0.1 is 0.1/sqrt(40) = 0.0158: 1.96 of it is 0.031.
    assert found.high == pytest.approx(0.031, abs=0.006)


def test_the_same_seed_gives_the_same_interval() -> None:
    b = [value**2 for value in A]
    one, two = (compare_paired(ROWS, lambda r: _mean(A, r), lambda r: _mean(b, r)) for _ in "ab")
    assert one == two


def test_one_video_has_no_interval() -> None:
    found = compare_paired([[0, 1]], lambda r: _mean(A, r), lambda r: _mean(A, r) + 1)
    assert math.isnan(found.low)
    assert not found.clear
