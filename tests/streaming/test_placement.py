"""Where a description may be spoken: one pinned test a rule, and the rules as properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval, Ms, subtract
from streaming.announcement import DropReason
from streaming.placement import Ground, Hold, Limits, Offer, Placed, Refused, place

pytestmark = pytest.mark.unit

LIMITS = Limits()


def ground(
    *free: tuple[Ms, Ms], open: bool = False, earliest: Ms = -10_000, known_to: Ms | None = None
) -> Ground:
    spans = [Interval(a, b) for a, b in free]
    return Ground(spans, open, earliest, known_to or (spans[-1].end if spans else 0))


def offer(start: Ms, *lengths: Ms) -> Offer:
    return Offer(Interval(start, start + 2_000), lengths)


def test_it_is_spoken_where_it_happens_when_it_fits_there() -> None:
    verdict = place(offer(3_000, 1_500), ground((0, 10_000)), LIMITS)
    assert verdict == Placed(Interval(3_000, 4_500), 0, 1.0, provisional=False)


def test_it_moves_back_to_end_before_speech() -> None:
    verdict = place(offer(3_000, 1_500), ground((0, 4_300)), LIMITS)
    assert verdict == Placed(Interval(2_800, 4_300), 0, 1.0, provisional=False)


def test_it_is_not_foretold() -> None:
    """A gap before the event ends too early: the next one is taken, after the event."""
    verdict = place(offer(3_000, 1_500), ground((0, 3_200), (6_000, 9_000)), LIMITS)
    assert verdict == Placed(Interval(6_000, 7_500), 0, 1.0, provisional=False)


def test_it_does_not_come_too_long_after() -> None:
    verdict = place(offer(3_000, 1_500), ground((0, 2_000), (9_100, 20_000)), LIMITS)
    assert verdict == Refused(DropReason.NO_GAP)


def test_it_starts_ahead_of_the_playhead() -> None:
    verdict = place(offer(3_000, 1_500), ground((0, 10_000), earliest=5_000), LIMITS)
    assert verdict == Placed(Interval(5_000, 6_500), 0, 1.0, provisional=False)


def test_too_late_for_its_moment_is_dropped() -> None:
    verdict = place(offer(3_000, 1_500), ground((0, 20_000), earliest=9_001), LIMITS)
    assert verdict == Refused(DropReason.TOO_LATE)


def test_it_is_spoken_faster_before_it_is_shortened() -> None:
    verdict = place(offer(1_000, 900, 2_400), ground((1_000, 3_000)), LIMITS)
    assert isinstance(verdict, Placed)
    assert (verdict.when, verdict.form, verdict.rate) == (Interval(1_000, 3_000), 1, 1.2)


def test_a_shorter_form_is_taken_when_the_long_one_cannot_be_spoken_fast_enough() -> None:
    verdict = place(offer(1_000, 900, 2_600), ground((1_000, 3_000)), LIMITS)
    assert verdict == Placed(Interval(1_000, 1_900), 0, 1.0, provisional=False)


def test_no_form_fits_so_it_is_dropped_and_says_why() -> None:
    verdict = place(offer(1_000, 3_000, 4_000), ground((1_000, 3_000), known_to=9_000), LIMITS)
    assert verdict == Refused(DropReason.TOO_LONG)


def test_it_waits_while_the_open_gap_may_still_grow() -> None:
    waits = ground((2_000, 3_000), open=True, earliest=-6_000)
    assert place(offer(2_000, 2_500), waits, LIMITS) == Hold()


def test_it_waits_for_the_speaker_to_finish() -> None:
    speaking = ground((0, 1_000), earliest=-6_000, known_to=4_000)
    assert place(offer(2_000, 1_500), speaking, LIMITS) == Hold()


def test_with_no_delay_the_open_gap_is_taken_provisionally_in_the_shortest_form() -> None:
    edge = ground((2_000, 5_000), open=True, earliest=5_200, known_to=5_100)
    verdict = place(offer(3_000, 900, 2_500), edge, LIMITS)
    assert verdict == Placed(Interval(5_200, 6_100), 0, 1.0, provisional=True)


def test_with_no_delay_nothing_is_said_into_speech() -> None:
    edge = ground((0, 2_000), open=False, earliest=5_200, known_to=5_100)
    assert place(offer(3_000, 900), edge, LIMITS) == Refused(DropReason.NO_GAP)


speech_spans = st.lists(
    st.tuples(st.integers(0, 20_000), st.integers(1, 5_000)).map(
        lambda p: Interval(p[0], p[0] + p[1])
    ),
    max_size=6,
)
offers = st.builds(
    offer,
    st.integers(0, 20_000),
    st.integers(100, 2_000),
    st.integers(2_001, 8_000),
)


@given(speech_spans, offers, st.integers(-12_000, 20_000), st.integers(0, 25_000), st.booleans())
def test_a_placed_cue_keeps_every_limit(
    speech: list[Interval], wanted: Offer, earliest: Ms, known_to: Ms, open_: bool
) -> None:
    free = subtract(Interval(0, known_to), speech)
    verdict = place(wanted, Ground(free, open_, earliest, known_to), LIMITS)
    if not isinstance(verdict, Placed):
        return
    start = verdict.when.start
    assert start >= earliest
    assert -LIMITS.max_early <= start - wanted.when.start <= LIMITS.max_late
    assert 1.0 <= verdict.rate <= LIMITS.max_rate
    length = wanted.lengths[verdict.form]
    assert verdict.when.duration == pytest.approx(length / verdict.rate, abs=1)
    if not verdict.provisional:
        assert any(s.start <= start and verdict.when.end <= s.end for s in free)


@given(speech_spans, offers, st.integers(-12_000, 0))
def test_when_everything_is_known_the_answer_is_final(
    speech: list[Interval], wanted: Offer, earliest: Ms
) -> None:
    known_to = 60_000
    free = subtract(Interval(0, known_to), speech)
    verdict = place(wanted, Ground(free, True, earliest, known_to), LIMITS)
    assert not isinstance(verdict, Hold)
    assert not (isinstance(verdict, Placed) and verdict.provisional)
