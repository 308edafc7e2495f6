"""Subtitles made clean: loops, other scripts, markup, sounds in brackets, songs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.subtitles import clean
from tests.question_generation.jointav.parts import timed

pytestmark = pytest.mark.unit


def said(*texts: str) -> list[str]:
    return [one.text for one in clean([timed(i * 3, t) for i, t in enumerate(texts)]).dialogue]


def test_a_line_three_times_in_a_row_is_a_loop() -> None:
    assert said("Go.", "Stop.", "Stop.", "stop.", "Go.", "Go.") == ["Go.", "Go.", "Go."]


def test_other_scripts_fall_and_typography_does_not() -> None:
    assert said("It\u2019s a caf\u00e9\u2026", "\u4f60\u597d", "\u041d\u0435\u0442.") == [
        "It's a cafe..."
    ]


def test_sounds_in_brackets_are_heard_not_said() -> None:
    found = clean(
        [
            timed(0, "[door slams] Who is there?"),
            timed(3, "(tense music)"),
            timed(6, "\u266a la \u266a"),
        ]
    )
    assert [one.text for one in found.dialogue] == ["Who is there?"]
    assert [one.text for one in found.sounds] == ["door slams"]
    assert [one.text for one in found.music] == ["tense music"]


def test_markup_and_speakers_go() -> None:
    assert said("<i>Come</i> in.", "ANNA: Thank you.", "- No.") == ["Come in.", "Thank you.", "No."]


@given(st.lists(st.text(max_size=30), max_size=12))
def test_nothing_breaks_it_and_what_it_keeps_it_keeps(texts: list[str]) -> None:
    once = clean([timed(i * 3, t) for i, t in enumerate(texts)])
    assert all(line.text.isascii() and line.text.strip() for line in once.dialogue)
    assert len(once.dialogue) <= len(texts)
