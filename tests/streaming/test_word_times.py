"""Where a model's words lie, held against what VAD heard."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.timeline import Interval, merge
from streaming.hypothesis import Guess
from streaming.word_times import placed

pytestmark = pytest.mark.unit


def test_the_first_word_after_a_pause_starts_where_speech_starts() -> None:
    found = placed([Guess(0, 400, "yes", 1.0)], 1_000, [Interval(1_160, 2_000)], [1_160])
    assert found[0]
    assert found[0].when == Interval(1_160, 1_400)


def test_the_last_word_ends_where_speech_ends() -> None:
    found = placed([Guess(500, 2_000, "yes", 1.0)], 0, [Interval(0, 900)], [])
    assert found[0]
    assert found[0].when == Interval(500, 900)


def test_a_word_where_nobody_speaks_is_dropped() -> None:
    guesses = [Guess(0, 300, "yes", 1.0), Guess(4_000, 4_300, "Thanks.", 1.0)]
    assert placed(guesses, 0, [Interval(0, 900)], [0])[1] is None


GUESSES = st.lists(
    st.tuples(st.integers(0, 5_000), st.integers(0, 900)).map(
        lambda at: Guess(at[0], at[0] + at[1], "x", 1.0)
    ),
    max_size=12,
)
SPANS = st.lists(
    st.tuples(st.integers(0, 5_000), st.integers(1, 900)).map(
        lambda at: Interval(at[0], at[0] + at[1])
    ),
    max_size=5,
).map(merge)


@given(GUESSES, SPANS)
def test_words_are_in_order_and_none_starts_before_speech(
    guesses: list[Guess], speech: list[Interval]
) -> None:
    found = placed(guesses, 0, speech, [span.start for span in speech])
    words = [word for word in found if word]
    assert len(found) == len(guesses)
    assert all(a.when.end <= b.when.start for a, b in pairwise(words))
    assert all(word.when.start >= speech[0].start for word in words)
