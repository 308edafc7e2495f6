"""Media time: nothing is dealt with before pictures and speech are decided."""

from __future__ import annotations

import pytest

from strad.speech import GapSource
from streaming.clock import PICTURES_MAY_LAG, MediaClock
from streaming.config import Pace, StreamConfig
from streaming.gaps import SpeechTimeline
from streaming.hearing import SpeechKnown, WordsKnown
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit


def speech(vad: int, words: int) -> SpeechTimeline:
    timeline = SpeechTimeline(GapSource.UNION)
    timeline.hear(SpeechKnown(vad))
    timeline.read(WordsKnown(words))
    return timeline


def test_known_is_what_both_eyes_and_ears_have_decided() -> None:
    clock = MediaClock(StreamConfig())
    clock.arrived(frame(3_000))
    clock.arrived(chunk(0, 5_000))
    assert clock.known(speech(vad=2_500, words=0)) == 2_500
    assert clock.known(speech(vad=4_800, words=0)) == 3_999


def test_in_replay_words_are_waited_for() -> None:
    clock = MediaClock(StreamConfig(pace=Pace.EVERY_WINDOW))
    clock.arrived(frame(9_000))
    assert clock.known(speech(vad=8_000, words=3_000)) == 3_000


def test_pictures_that_stop_do_not_stop_the_stream() -> None:
    clock = MediaClock(StreamConfig())
    clock.arrived(frame(1_000))
    clock.arrived(chunk(0, 20_000))
    assert clock.known(speech(vad=20_000, words=0)) == 20_000 - PICTURES_MAY_LAG


def test_it_ticks_evenly_and_takes_the_rest_at_the_end() -> None:
    clock = MediaClock(StreamConfig())
    clock.arrived(chunk(0, 250))
    assert [clock.tick(250) for _ in range(3)] == [True, True, False]
    assert clock.now == 200
    clock.ended = True
    assert clock.tick(clock.known(speech(0, 0)))
    assert clock.now == 250
    assert clock.over


def test_the_playhead_is_the_delay_behind_the_edge_that_counts() -> None:
    live = MediaClock(StreamConfig(delay=5_000))
    replayed = MediaClock(StreamConfig(delay=5_000, pace=Pace.EVERY_WINDOW))
    for clock in (live, replayed):
        clock.arrived(chunk(0, 9_000))
    assert live.playhead == 4_000
    assert replayed.playhead == -5_000
