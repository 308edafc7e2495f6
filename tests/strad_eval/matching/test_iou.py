"""Overlapping pairs, against every pair asked one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import InputError
from strad_eval.matching.iou import overlaps

pytestmark = pytest.mark.eval

_SPAN = st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda s: (s[0], s[0] + s[1]))
_SPANS = st.lists(_SPAN, max_size=25).map(lambda s: np.array(s, dtype=float).reshape(-1, 2))


def _one_by_one(a: list[float], b: list[float]) -> float:
    shared = max(0.0, min(a[1], b[1]) - max(a[0], b[0]))
    hull = max(a[1], b[1]) - min(a[0], b[0])
    return shared / (min(hull, a[1] - a[0] + b[1] - b[0]) + 1e-8)


@given(_SPANS, _SPANS)
def test_it_finds_exactly_the_pairs_that_overlap(
    references: np.ndarray[tuple[int, int], np.dtype[np.float64]],
    predictions: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    found = overlaps(references, predictions)
    want = {
        (g, p): value
        for g, a in enumerate(references.tolist())
        for p, b in enumerate(predictions.tolist())
        if (value := _one_by_one(a, b)) > 0
    }
    got = dict(zip(zip(found.g.tolist(), found.p.tolist(), strict=True), found.iou, strict=True))
    assert list(got) == sorted(want)
    assert all(got[pair] == pytest.approx(want[pair], abs=1e-15) for pair in want)


def test_the_published_toy_values() -> None:
    found = overlaps(
        np.array([[1.0, 3.5], [10, 12], [20, 24]]),
        np.array([[0.5, 3.0], [10.5, 13], [22, 26], [40, 42]]),
    )
    assert found.iou.round(4).tolist() == [0.6667, 0.5, 0.3333]


def test_an_overlap_of_exactly_a_half_is_below_it_by_the_epsilon() -> None:
    found = overlaps(np.array([[0.0, 2.0]]), np.array([[0.0, 1.0]]))
    assert found.iou[0] == pytest.approx(0.5, abs=1e-8)
    assert not len(found.at(0.5).g)


def test_one_long_span_over_many_short_ones_costs_no_more_than_its_pairs() -> None:
    short = np.arange(10_000, dtype=float)
    found = overlaps(np.array([[0.0, 10_000.0]]), np.stack([short, short + 0.5], axis=1))
    assert len(found.g) == 10_000


def test_times_that_overlap_without_end_are_refused_before_memory_is_spent() -> None:
    everywhere = np.tile([0.0, 10_000.0], (3_000, 1))
    with pytest.raises(InputError, match="9000000 pairs of descriptions overlap"):
        overlaps(everywhere, everywhere)
