"""Which description became which: cases worked by hand, and properties of any two tracks."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.cues import Cue
from strad.timeline import Interval
from training.corrections.matching import Change, corrections

pytestmark = pytest.mark.unit


def cue(start: int, text: str, length: int = 2_000) -> Cue:
    return Cue(Interval(start, start + length), text)


TOLD = [
    cue(10_000, "A man walks."),
    cue(20_000, "A dog runs."),
    cue(30_000, "Rain falls."),
    cue(40_000, "A woman reads a letter."),
]


def changes(kept: list[Cue]) -> list[tuple[str, str | None, str | None]]:
    return [
        (c.change.value, c.told and c.told.text, c.kept and c.kept.text)
        for c in corrections(TOLD, kept)
    ]


def test_each_change_is_told_by_times_and_text() -> None:
    kept = [
        cue(10_100, "A man walks."),
        cue(20_400, "A cat runs."),
        cue(36_000, "Rain falls."),
        cue(47_000, "The woman reads the letter."),
        cue(60_000, "Night."),
    ]
    assert changes(kept) == [
        ("unchanged", "A man walks.", "A man walks."),
        ("edited", "A dog runs.", "A cat runs."),
        ("moved", "Rain falls.", "Rain falls."),
        ("edited", "A woman reads a letter.", "The woman reads the letter."),
        ("added", None, "Night."),
    ]


def test_what_is_gone_was_deleted_also_where_something_far_away_says_the_same() -> None:
    kept = [cue(10_000, "A man walks."), cue(75_000, "A dog runs."), *TOLD[2:]]
    found = changes(kept)
    assert ("deleted", "A dog runs.", None) in found
    assert ("added", None, "A dog runs.") in found


def test_a_text_that_differs_by_a_letter_was_edited() -> None:
    assert changes([cue(10_000, "A man walks"), *TOLD[1:]])[0][0] == "edited"


def test_of_two_alike_the_nearest_is_the_one() -> None:
    told = [cue(10_000, "He nods."), cue(20_000, "He nods.")]
    found = corrections(told, [cue(21_000, "He nods."), cue(9_000, "He nods.")])
    assert [(c.told, c.kept and c.kept.when.start) for c in found] == [
        (told[0], 9_000),
        (told[1], 21_000),
    ]


CUES = st.lists(
    st.builds(
        cue,
        st.integers(0, 100_000),
        st.sampled_from(["A man walks.", "A man runs.", "Rain.", "A dog sits down."]),
        st.integers(0, 5_000),
    ),
    max_size=8,
)


@given(CUES, CUES)
def test_every_description_of_both_is_there_once(told: list[Cue], kept: list[Cue]) -> None:
    found = corrections(told, kept)
    assert Counter(c.told for c in found if c.told) == Counter(told)
    assert Counter(c.kept for c in found if c.kept) == Counter(kept)
    assert all((c.told is None) == (c.change is Change.ADDED) for c in found)
    assert all((c.kept is None) == (c.change is Change.DELETED) for c in found)


@given(CUES)
def test_what_nobody_touched_is_unchanged(told: list[Cue]) -> None:
    assert {c.change for c in corrections(told, told)} <= {Change.UNCHANGED}


@given(CUES, CUES)
def test_a_text_stays_the_same_where_it_was_moved_and_is_another_where_it_was_edited(
    told: list[Cue], kept: list[Cue]
) -> None:
    for c in corrections(told, kept):
        if c.told and c.kept:
            same = c.told.text == c.kept.text
            assert same or c.change is Change.EDITED
