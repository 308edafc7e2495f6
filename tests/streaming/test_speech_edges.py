"""Where speech begins and ends: hysteresis, tuned for gaps, deciding each moment once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval, Ms, merge
from streaming.hearing import SpeechKnown
from streaming.speech_edges import FRAME, SpeechEdges, VadTuning

pytestmark = pytest.mark.unit

PROBABILITIES = st.lists(st.sampled_from([0.0, 0.2, 0.4, 0.6, 1.0]), max_size=120)


def spans_of(probabilities: list[float], cut: int = 1) -> list[Interval]:
    return merge(span for known in facts(probabilities, cut) for span in known.speech)


def facts(probabilities: list[float], cut: int = 1) -> list[SpeechKnown]:
    edges = SpeechEdges(0)
    found = [edges.feed(probabilities[at : at + cut]) for at in range(0, len(probabilities), cut)]
    return [*found, edges.finish(len(probabilities) * FRAME)]


def frames(*runs: tuple[float, int]) -> list[float]:
    return [probability for probability, count in runs for _ in range(count)]


def test_speech_is_padded_at_its_start_only() -> None:
    assert spans_of(frames((0, 20), (0.9, 20), (0, 20))) == [Interval(19 * FRAME, 40 * FRAME)]


def test_a_pause_of_a_quarter_second_is_a_gap() -> None:
    assert len(spans_of(frames((0.9, 20), (0, 8), (0.9, 20)))) == 2
    assert len(spans_of(frames((0.9, 20), (0, 7), (0.9, 20)))) == 1


def test_a_click_is_not_speech() -> None:
    assert spans_of(frames((0, 20), (0.9, 2), (0, 20))) == []


def test_between_the_thresholds_speech_goes_on_but_does_not_start() -> None:
    assert spans_of(frames((0, 10), (0.4, 30))) == []
    assert spans_of(frames((0.9, 10), (0.4, 30))) == [Interval(0, 40 * FRAME)]


def test_speech_that_goes_on_is_known_at_once() -> None:
    edges = SpeechEdges(1_000)
    known = edges.feed(frames((0.9, 10)))
    assert known == SpeechKnown(1_000 + 10 * FRAME, (Interval(1_000, 1_000 + 10 * FRAME),))


@given(PROBABILITIES)
def test_what_is_decided_is_in_order_contiguous_and_never_late(probabilities: list[float]) -> None:
    until: Ms = 0
    edges = SpeechEdges(0)
    for index, probability in enumerate(probabilities, start=1):
        known = edges.feed([probability])
        assert known.until >= until
        assert all(until <= s.start < s.end <= known.until for s in known.speech)
        until = known.until
        assert index * FRAME - until <= VadTuning().min_silence
    end = len(probabilities) * FRAME
    assert edges.finish(end).until == end


@given(PROBABILITIES, st.integers(1, 40))
def test_how_frames_come_together_changes_nothing(probabilities: list[float], cut: int) -> None:
    assert spans_of(probabilities) == spans_of(probabilities, cut)
