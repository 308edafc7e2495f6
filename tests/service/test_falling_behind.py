"""A stream that can't keep up says so, with counts, and not often; one that stands still fails."""

from __future__ import annotations

import itertools

import pytest

from service.falling_behind import FAR, LOOK_EVERY, TELL_EVERY, FallingBehind
from service.media_watch import MEDIA_WAIT, MediaWatch
from strad.errors import NoMediaError
from strad.wire.answering import Progress

pytestmark = pytest.mark.unit


def progress(skipped: int = 0, behind: float = 2.0) -> Progress:
    return Progress(live_edge=60.0, cursor=58.0, behind=behind, skipped=skipped)


def test_nothing_is_said_of_a_stream_that_keeps_up() -> None:
    behind = FallingBehind(0.0)
    assert [behind.look(progress(), t / 2) for t in range(400)] == [[]] * 400


def test_skipped_windows_are_counted_once_and_told_every_half_minute() -> None:
    behind, told = FallingBehind(0.0), list[tuple[float, int]]()
    for t in range(200):
        for warning in behind.look(progress(skipped=t // 2), float(t)):
            assert warning.code == "skipped"
            told.append((t, warning.count))
    times = [t for t, _ in told]
    assert times[0] == LOOK_EVERY
    assert all(later - sooner >= TELL_EVERY for sooner, later in itertools.pairwise(times))
    assert sum(count for _, count in told) == times[-1] // 2


def test_a_burst_in_the_first_seconds_of_a_stream_that_has_ended_is_not_told() -> None:
    assert FallingBehind(0.0).look(progress(skipped=50), LOOK_EVERY / 2) == []


def test_how_far_it_is_behind_is_told_in_seconds() -> None:
    behind = FallingBehind(0.0)
    assert behind.look(progress(behind=FAR - 1), LOOK_EVERY) == []
    (warning,) = behind.look(progress(behind=FAR + 4), 2 * LOOK_EVERY)
    assert (warning.code, warning.count, warning.at) == ("behind", round(FAR + 4), 60.0)
    assert behind.look(progress(behind=FAR + 9), 3 * LOOK_EVERY) == []


def test_a_player_that_plays_but_sends_nothing_fails_in_the_end() -> None:
    watch = MediaWatch(0.0)
    watch.look(1_000, 10.0, excused=False)
    watch.look(1_000, 10.0 + MEDIA_WAIT, excused=False)
    with pytest.raises(NoMediaError, match="no decodable media came for 300 s"):
        watch.look(1_000, 11.0 + MEDIA_WAIT, excused=False)


def test_a_pause_is_no_standstill() -> None:
    watch = MediaWatch(0.0)
    for hour in range(5):
        watch.look(1_000, hour * 3600.0, excused=True)
    watch.look(1_000, 4 * 3600.0 + MEDIA_WAIT, excused=False)
