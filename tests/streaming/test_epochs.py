"""Seeks, and media that never came, at any moment: nothing breaks, nothing is said in a hole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Epoch, Interval
from streaming.config import StreamConfig
from streaming.facts import Fact, MediaEnded
from streaming.hearing import Unheard
from streaming.media import EpochStarted
from streaming.session import Session
from tests.fakes import Programme
from tests.streaming.test_memory import Player

pytestmark = pytest.mark.unit

EPOCHS = st.builds(
    EpochStarted,
    st.builds(Epoch, st.integers(0, 60_000), st.integers(0, 10**7), st.floats(0.1, 16)),
)


@given(
    told=st.lists(st.tuples(st.floats(0, 1), EPOCHS), max_size=6),
    speech=st.lists(st.tuples(st.integers(0, 18_000), st.integers(1, 3_000)), max_size=3),
    delay=st.sampled_from([0, 4_000, 12_000]),
)
def test_an_epoch_may_begin_at_any_time(
    told: list[tuple[float, EpochStarted]], speech: list[tuple[int, int]], delay: int
) -> None:
    spans = [(start, start + length) for start, length in speech]
    facts: list[Fact] = [*Programme(20_000, spans, cut=500).facts()]
    for at, epoch in told:
        facts.insert(int(at * len(facts)), epoch)
    player = Player(Session(StreamConfig(delay=delay), describer="fake", draft=True))
    for fact in [*facts, MediaEnded()]:
        player.play(fact)
    assert player.session.done
    assert player.session.cursor >= 18_000


@given(st.lists(st.tuples(st.integers(0, 30_000), st.integers(1, 20_000)), max_size=5))
def test_holes_may_lie_anywhere(holes: list[tuple[int, int]]) -> None:
    player = Player(Session(StreamConfig(delay=4_000), describer="fake", draft=True))
    for fact in Programme(20_000, cut=500).facts():
        player.play(fact)
    spans = [Interval(start, start + length) for start, length in holes]
    for span in spans:
        player.play(Unheard(span))
    said = len(player.ads)
    for fact in Programme(40_000, cut=500).facts():
        player.play(fact)
    player.play(MediaEnded())
    assert player.session.done
    assert not any(ad.cue.when.overlaps(span) for ad in player.ads[said:] for span in spans)
