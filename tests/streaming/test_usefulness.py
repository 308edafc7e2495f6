"""A window is of use until nothing in it can be spoken in time: then placement refuses all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval, Ms
from streaming.announcement import DropReason
from streaming.config import Pace, Placement, StreamConfig
from streaming.placement import Ground, Limits, Offer, Refused, place
from streaming.usefulness import useful_for

pytestmark = pytest.mark.unit


def test_with_the_usual_delay_an_answer_may_take_16_and_a_half_seconds() -> None:
    """12 s of delay, less 1.5 s of lead, and a cue may start 6 s after what it describes."""
    assert useful_for(StreamConfig()) == 16_500
    assert useful_for(StreamConfig(delay=0)) == 6_000


def test_where_nothing_has_to_be_in_time_there_is_no_end() -> None:
    assert useful_for(StreamConfig(placement=Placement.OFF)) is None
    assert useful_for(StreamConfig(pace=Pace.EVERY_WINDOW)) is None


@given(
    st.integers(0, 30_000), st.integers(0, 10_000), st.integers(0, 8_000), st.integers(1, 60_000)
)
def test_what_comes_later_is_refused_whatever_it_describes(
    delay: Ms, lead: Ms, back: Ms, over: Ms
) -> None:
    config, end = StreamConfig(delay=delay, lead=lead), 100_000
    useful = useful_for(config)
    assert useful is not None
    edge = end + useful + over
    earliest = edge - delay + (lead if delay else 0)
    offer = Offer(Interval(end - back, end), (1_000,))
    ground = Ground([Interval(0, edge)], open=True, earliest=earliest, known_to=edge)
    assert place(offer, ground, Limits()) == Refused(DropReason.TOO_LATE)
