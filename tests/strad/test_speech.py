"""Speech: its gaps tile the time around it, and its length follows from its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.speech import SpeechGap, count_words, gaps_between, spoken_ms
from strad.timeline import Interval, merge

pytestmark = pytest.mark.unit

times = st.integers(0, 200)
intervals = st.builds(lambda a, b: Interval(min(a, b), max(a, b)), times, times)
nonempty = intervals.filter(lambda span: span.duration > 0)


@given(st.lists(intervals, max_size=6), nonempty)
def test_speech_and_gaps_tile_the_time(speech: list[Interval], within: Interval) -> None:
    gaps = [gap.when for gap in gaps_between(speech, within, min_gap=1)]
    heard = [part for span in speech if (part := span.intersect(within))]
    assert merge([*gaps, *heard]) == [within]
    assert not any(gap.overlaps(span) for gap in gaps for span in heard)


@given(st.lists(intervals, max_size=6), nonempty, st.integers(1, 50))
def test_only_long_gaps_count(speech: list[Interval], within: Interval, min_gap: int) -> None:
    every = gaps_between(speech, within, min_gap=1)
    kept = gaps_between(speech, within, min_gap=min_gap)
    assert kept == [gap for gap in every if gap.when.duration >= min_gap]


def test_the_gap_that_touches_the_end_is_open() -> None:
    speech = [Interval(1_000, 2_000), Interval(3_000, 4_000)]
    assert gaps_between(speech, Interval(0, 5_000), 500) == [
        SpeechGap(Interval(0, 1_000), closed=True),
        SpeechGap(Interval(2_000, 3_000), closed=True),
        SpeechGap(Interval(4_000, 5_000), closed=False),
    ]
    assert gaps_between(speech, Interval(0, 4_000), 500)[-1].closed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \u2013 ... !", 0),
        ("A boy plays piano.", 4),
        ("Boon's mum can\u2019t stop", 4),
        ("a well-known 3.5 km run at 10:30", 7),
        ("Caf\u00e9 \u4e2d\u6587", 2),
    ],
)
def test_words_are_counted_as_a_voice_says_them(text: str, words: int) -> None:
    assert count_words(text) == words
    assert spoken_ms(text) == words * 400


def test_a_faster_voice_takes_less_time() -> None:
    assert spoken_ms("one two three", words_per_minute=180) == 1_000
