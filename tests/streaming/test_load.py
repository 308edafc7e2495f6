"""Load is decide seconds over stride."""

from __future__ import annotations

import pytest

from streaming.load import RECENT, Load

pytestmark = pytest.mark.unit


def test_load_is_the_mean_of_recent_answers_over_the_stride() -> None:
    load = Load(stride=2_000)
    assert load.recent() is None
    load.add(1.0)
    load.add(2.0)
    assert load.recent() == pytest.approx(0.75)
    for _ in range(RECENT):
        load.add(4.0)
    assert load.recent() == pytest.approx(2.0)
