"""Caption cues as final words: what is speech, when each word is said, order."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.timeline import Interval
from streaming.captions import Captions, caption_facts, spoken, words_of

pytestmark = pytest.mark.unit


def cue(start: int, end: int, text: str) -> Cue:
    return Cue(Interval(start, end), text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[music]", ""),
        ("(door slams)", ""),
        ("♪ la la la ♪", ""),
        ("♪", ""),
        ("- ", ""),
        ("Hello [laughs] there", "Hello there"),
        (">> Good evening.", "Good evening."),
        (">> ANNA: Good evening.", "Good evening."),
        ("MRS. DASHWOOD: Come in.", "Come in."),
        ("- Yes. - No.", "Yes. No."),
        ("<i>Tell me</i>, is he in?", "Tell me, is he in?"),
        ("<v Anna>Hi.</v>", "Hi."),
        ("{\\an8}Above", "Above"),
        ("Note: this is said", "Note: this is said"),
        ("a well-known one", "a well-known one"),
    ],
)
def test_what_is_said_aloud(text: str, said: str) -> None:
    assert spoken(text) == said


def test_words_share_the_cues_time_by_length() -> None:
    """3 + 7 letters and a space each: 4 and 8 twelfths of 1.2 s."""
    words = words_of(cue(1_000, 2_200, "abc defghij"))
    assert [(w.when.start, w.when.end) for w in words] == [(1_000, 1_400), (1_400, 2_200)]


def test_a_cue_without_an_end_does_not_speak_for_an_hour() -> None:
    assert words_of(cue(0, 3_600_000, "Hi."))[-1].when.end == 30_000


@pytest.mark.parametrize("length", [31_000, 120_000, 600_000])
def test_a_long_cue_is_speech_to_its_end(length: int) -> None:
    words = words_of(cue(5_000, 5_000 + length, "Hear ye, hear ye."))
    assert (words[0].when.start, words[-1].when.end) == (5_000, 5_000 + length)
    assert all(a.when.end == b.when.start for a, b in pairwise(words))


def test_an_hour_of_text_in_one_cue_is_an_hour_of_speech() -> None:
    assert words_of(cue(0, 3_600_000, "word " * 1_800))[-1].when.end == 3_600_000


def test_overlapping_cues_keep_their_words_in_order() -> None:
    found = list(caption_facts([cue(1_000, 3_000, "one two"), cue(2_000, 4_000, "three four")]))
    words = [word for fact in found for word in fact.words]
    assert [word.text for word in words] == ["one", "two", "three", "four"]
    assert all(a.when.end <= b.when.start for a, b in pairwise(words))


def test_roll_up_captions_say_each_word_once() -> None:
    captions = Captions()
    first = captions.add(cue(0, 2_000, "once upon a time"))
    second = captions.add(cue(1_500, 4_000, "upon a time there was"))
    assert [w.text for w in (*first.words, *second.words)] == [
        "once",
        "upon",
        "a",
        "time",
        "there",
        "was",
    ]


def test_a_file_is_final_to_the_end_of_the_media() -> None:
    assert [fact.until for fact in caption_facts([cue(0, 900, "Hildy!")], end=6_000)] == [
        900,
        6_000,
    ]


CUES = st.lists(
    st.builds(
        lambda start, length, text: cue(start, start + length, text),
        st.integers(0, 60_000),
        st.integers(0, 8_000),
        st.text("abc -[]()>♪:", max_size=30),
    )
)


@given(CUES)
def test_any_cues_become_words_in_order(cues: list[Cue]) -> None:
    until = 0
    for fact in caption_facts(cues):
        assert fact.until >= until
        assert all(word.when.start >= until for word in fact.words)
        assert all(a.when.end <= b.when.start for a, b in pairwise(fact.words))
        until = fact.until
