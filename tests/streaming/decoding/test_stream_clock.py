"""Stream time starts at 0 and only rises, whatever the media's own clocks do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.decoding.clock import BACKWARD, StreamClock

pytestmark = pytest.mark.unit

SECOND = 1_000_000


def placed(clock: StreamClock, track: int, raw: int, duration: int = 40_000) -> int:
    return raw - clock.place(track, raw, duration)


def test_time_starts_at_zero_and_tracks_share_their_offset() -> None:
    clock = StreamClock(jump=10 * SECOND)
    assert placed(clock, 0, 7 * SECOND) == 0
    assert placed(clock, 1, 7 * SECOND + 5_000) == 5_000
    assert clock.jumps == 0


def test_both_tracks_of_a_joined_recording_stay_in_step() -> None:
    clock = StreamClock(jump=10 * SECOND)
    for at in range(0, 3 * SECOND, 40_000):
        placed(clock, 0, at)
        placed(clock, 1, at - 20_000)
    restarted = placed(clock, 0, 0)
    assert restarted == pytest.approx(3 * SECOND, abs=50_000)
    assert placed(clock, 1, 3 * SECOND - 20_000) == 3 * SECOND - 20_000
    assert placed(clock, 1, 15_000) == restarted + 15_000
    assert clock.jumps == 1


@pytest.mark.parametrize("bits", [32, 33])
def test_a_wrapped_clock_goes_on_rising(bits: int) -> None:
    clock = StreamClock(jump=10 * SECOND)
    wrap = (1 << bits) * SECOND // 90_000
    placed(clock, 0, wrap - 80_000)
    placed(clock, 0, wrap - 40_000)
    assert placed(clock, 0, 0) == 80_000


def test_a_leap_forward_goes_on_at_the_next_expected_time() -> None:
    clock = StreamClock(jump=10 * SECOND)
    placed(clock, 0, 0)
    assert placed(clock, 0, 5_000 * SECOND) == 40_000
    assert clock.jumps == 1


def test_a_hole_shorter_than_a_jump_is_kept() -> None:
    clock = StreamClock(jump=10 * SECOND)
    placed(clock, 0, 0)
    assert placed(clock, 0, 8 * SECOND) == 8 * SECOND
    assert clock.jumps == 0


def test_a_track_that_goes_on_through_the_other_ones_silence_has_not_jumped() -> None:
    clock = StreamClock(jump=10 * SECOND)
    placed(clock, 0, 0)
    for at in range(0, 60 * SECOND, SECOND):
        placed(clock, 1, at, SECOND)
    assert placed(clock, 0, 59 * SECOND) == 59 * SECOND
    assert clock.jumps == 0


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(-(1 << 40), 1 << 40)), max_size=60))
def test_no_clock_makes_a_track_fall_back(packets: list[tuple[int, int]]) -> None:
    clock = StreamClock(jump=10 * SECOND)
    last: dict[int, int] = {}
    for track, raw in packets:
        edge = clock.edge
        t = placed(clock, track, raw, 0)
        known = last.get(track)
        assert known is None or t >= min(known - BACKWARD, edge - 5 * SECOND)
        assert t <= edge + 10 * SECOND
        assert clock.edge >= edge
        last[track] = t


def test_steps_within_a_length_that_is_trusted_are_no_jumps() -> None:
    clock = StreamClock(jump=10 * SECOND, span=360 * SECOND)
    clock.start(0)
    assert placed(clock, 0, -180 * SECOND) == -180 * SECOND
    assert placed(clock, 0, 0) == 0
    assert placed(clock, 0, 300 * SECOND) == 300 * SECOND
    assert clock.jumps == 0
    placed(clock, 0, 9_000 * SECOND)
    assert clock.jumps == 1


def test_a_track_that_succeeds_another_goes_on_where_it_ended() -> None:
    clock = StreamClock(jump=10 * SECOND)
    placed(clock, 0, 7 * SECOND)
    placed(clock, 0, 11 * SECOND)
    clock.succeed(0, 2)
    assert placed(clock, 2, 7 * SECOND) == 4 * SECOND + 40_000
