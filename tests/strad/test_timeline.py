"""Media time: intervals cover what they should, no more, no less."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import (
    Epoch,
    Interval,
    covered,
    from_seconds,
    merge,
    subtract,
    to_seconds,
)

pytestmark = pytest.mark.unit

times = st.integers(-50, 50)
intervals = st.builds(lambda a, b: Interval(min(a, b), max(a, b)), times, times)
spans = st.lists(intervals, max_size=8)


def points(*intervals: Interval) -> set[int]:
    """The milliseconds that lie in any of them."""
    return {at for span in intervals for at in range(span.start, span.end)}


@given(st.integers(-(10**12), 10**12))
def test_whole_milliseconds_survive_as_seconds(ms: int) -> None:
    assert from_seconds(to_seconds(ms)) == ms


@pytest.mark.parametrize("seconds", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_time_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="not a time"):
        from_seconds(seconds)


def test_an_interval_does_not_end_before_it_starts() -> None:
    assert Interval(3, 3).duration == 0
    with pytest.raises(ValueError, match="ends before it starts"):
        Interval(3, 2)


@given(intervals, intervals)
def test_the_part_two_intervals_share(a: Interval, b: Interval) -> None:
    shared = points(a) & points(b)
    found = a.intersect(b)
    assert (points(found) if found else set()) == shared
    assert a.intersect(b) == b.intersect(a)
    if a.duration and b.duration:
        assert a.overlaps(b) == b.overlaps(a) == bool(shared)


@given(intervals, times, st.integers(0, 20))
def test_moving_and_growing(span: Interval, by: int, margin: int) -> None:
    assert points(span.shift(by)) == {at + by for at in points(span)}
    assert span.shift(by).shift(-by) == span
    assert span.widen(margin).duration == span.duration + 2 * margin
    assert span.widen(margin).widen(-margin) == span


@given(spans)
def test_merging_keeps_the_time_covered(given_spans: list[Interval]) -> None:
    merged = merge(given_spans)
    assert points(*merged) == points(*given_spans)
    assert all(a.end < b.start for a, b in itertools.pairwise(merged))
    assert all(span.duration > 0 for span in merged)
    assert merge(merged) == merge(reversed(given_spans)) == merged
    assert covered(given_spans) == len(points(*given_spans))


@given(intervals, spans)
def test_what_is_taken_out_and_what_is_left_tile_the_whole(
    whole: Interval, taken: list[Interval]
) -> None:
    left = subtract(whole, taken)
    assert points(*left) == points(whole) - points(*taken)
    assert merge(left) == left
    inside = [part for span in taken if (part := span.intersect(whole))]
    if whole.duration:
        assert merge([*left, *inside]) == [whole]
    assert covered(left) + covered(inside) == whole.duration


@given(times, times, st.sampled_from([0.5, 1.0, 1.5, 2.0]), st.integers(0, 1_000))
def test_an_epoch_maps_stream_time_to_the_players(
    stream: int, player: int, rate: float, later: int
) -> None:
    epoch = Epoch(stream, player, rate)
    assert epoch.player_time(stream) == player
    assert epoch.player_time(stream + later) == player + round(later * rate)
