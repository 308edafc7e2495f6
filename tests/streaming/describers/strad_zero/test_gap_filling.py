"""Three lengths fill more gaps of real programmes than one of eight words; none passes its gap."""

from __future__ import annotations

import pytest

from tests.streaming.describers.strad_zero.gap_filling import (
    DATA,
    LIMITS,
    ONE,
    STEADY,
    THREE,
    fill,
    sources,
)

pytestmark = [
    pytest.mark.unit,
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason="no ../shared/data here"),
]


@pytest.mark.parametrize("limits", [LIMITS, STEADY], ids=["up to 1.25 times", "at 150 a minute"])
def test_three_lengths_fill_at_least_30_percent_more_gaps_than_one(limits: object) -> None:
    for name, programmes in sources():
        one, three = (fill(programmes, words, limits) for words in (ONE, THREE))  # type: ignore[arg-type]
        assert one.gaps == three.gaps > 0, name
        assert three.filled >= 1.3 * one.filled, name
        assert three.words > one.words, name
        assert one.past == three.past == 0, name
