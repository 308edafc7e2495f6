"""A description is centred in what was seen; where nothing is placed, one form is chosen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.speech import spoken_ms
from strad.timeline import Interval
from streaming.describers.strad_zero.timing import centred, fitting, inside

pytestmark = pytest.mark.unit

TEXTS = st.integers(1, 20).map(lambda n: " ".join(["word"] * n))


def test_five_words_take_two_seconds_around_the_middle() -> None:
    assert centred("One two three four five.", Interval(8_000, 12_000)) == Interval(9_000, 11_000)


@given(TEXTS, st.integers(0, 60_000), st.integers(100, 8_000))
def test_the_length_is_that_of_speech_and_the_middle_is_kept(
    text: str, start: int, length: int
) -> None:
    seen = Interval(start, start + length)
    when = centred(text, seen)
    assert when.duration == spoken_ms(text)
    assert when.start >= 0
    if when.start > 0:
        assert abs(when.start + when.end - seen.start - seen.end) <= 1
    shown = Interval(seen.start + length // 2, seen.end)
    kept = inside(text, seen, shown)
    assert shown.start <= kept.start < kept.end <= shown.end


def test_the_longest_form_that_has_room_is_taken_else_the_shortest() -> None:
    forms = ("One two three.", "One two three four five.", "One two three four five six seven.")
    assert [fitting(forms, room) for room in (100, 1_200, 2_500, 9_000)] == [
        forms[0],
        forms[0],
        forms[1],
        forms[2],
    ]
