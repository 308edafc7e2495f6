"""The cursor steps by the stride, or to the newest media."""

from __future__ import annotations

import pytest

from strad.decision import Wait, WaitReason
from strad.timeline import Interval
from streaming.config import Pace, StreamConfig
from streaming.cursor import Cursor
from tests.fakes import describe

pytestmark = pytest.mark.unit

EVERY = StreamConfig(pace=Pace.EVERY_WINDOW)
LIVE = StreamConfig(pace=Pace.NEWEST)


def test_in_replay_no_window_is_left_out() -> None:
    cursor = Cursor(EVERY)
    steps = [cursor.step(7_000, over=False) for _ in range(4)]
    assert steps == [Interval(0, 2_000), Interval(2_000, 4_000), Interval(4_000, 6_000), None]
    assert cursor.skipped == 0


def test_live_the_next_window_is_the_newest() -> None:
    cursor = Cursor(LIVE)
    assert cursor.step(7_000, over=False) == Interval(0, 7_000)
    assert cursor.skipped == 2


def test_the_rest_of_the_media_gets_a_window_when_it_is_long_enough() -> None:
    for config in (EVERY, LIVE):
        cursor = Cursor(config)
        cursor.step(2_000, over=False)
        assert cursor.step(2_400, over=True) is None
        assert cursor.step(2_500, over=True) == Interval(2_000, 2_500)


def test_a_predicted_end_past_the_cursor_moves_it_there() -> None:
    cursor = Cursor(EVERY)
    cursor.step(2_000, over=False)
    assert cursor.jump(2_000, describe("x", 1_000, 3_300)) == 3_300
    assert cursor.at == 3_300


def test_an_absurd_predicted_end_moves_it_by_a_window_at_most() -> None:
    cursor = Cursor(EVERY)
    cursor.step(2_000, over=False)
    assert cursor.jump(2_000, describe("x", 1_000, 3_600_000)) == 10_000


def test_a_wait_or_an_earlier_end_leaves_it() -> None:
    cursor = Cursor(EVERY)
    cursor.step(2_000, over=False)
    assert cursor.jump(2_000, Wait(WaitReason.NOTHING_NEW)) == 2_000
    assert cursor.jump(2_000, describe("x", 0, 1_500)) == 2_000
    assert cursor.at == 2_000
