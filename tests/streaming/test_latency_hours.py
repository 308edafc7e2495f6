"""An hour with engines of known latency: load, lag, skipped and late as computed by hand."""

from __future__ import annotations

import pytest

from tests.streaming.slow_engine import played

pytestmark = [pytest.mark.unit, pytest.mark.slow]


@pytest.mark.parametrize(
    ("minutes", "takes", "windows", "skipped"),
    [
        (20, 0.3, 600, 0),
        (20, 1.0, 600, 0),
        (60, 2.5, 1_440, 0),  # one window every 2.5 s: longer steps, but never a whole stride lost
        (20, 6.0, 200, 400),  # one every 6 s: two of three are never asked
    ],
)
def test_it_is_as_computed_by_hand(minutes: int, takes: float, windows: int, skipped: int) -> None:
    found = played(takes, minutes)
    assert found.stats.windows == pytest.approx(windows, abs=2)
    assert found.stats.skipped == pytest.approx(skipped, abs=4)
    assert found.load == pytest.approx(takes / 2, rel=0.01)
    assert len(found.events) == pytest.approx(windows, abs=3)
    lags = [event.lag_emit / 1000 for event in found.events[1:-2]]
    assert min(lags) == pytest.approx(2 + takes, abs=0.11)
    assert max(lags) == pytest.approx(2 + takes, abs=0.11)
    assert found.late == 0  # 8 s at most, and the viewers' playhead and lead leave 10.5 s


def test_with_two_in_flight_the_slow_engine_sees_every_window_and_is_rarely_late() -> None:
    found = played(2.5, 20, in_flight=2)
    assert found.stats.windows == pytest.approx(600, abs=2)
    assert found.stats.skipped == 0
    assert found.load == pytest.approx(1.25, rel=0.01)
    assert found.late < 0.01
    assert max(event.lag_emit for event in found.events[1:-2]) <= 4_600


def test_left_to_itself_the_stream_finds_that_two_in_flight_help() -> None:
    found = played(2.5, 60, in_flight=None)
    assert found.stats.windows == pytest.approx(1_800, abs=5)
    assert found.late < 0.01
