"""Sounds and voices made clean: known inventions, blanks and neutral tones fall."""

from __future__ import annotations

import pytest

from question_generation.jointav.heard import line_said, sounds, trait
from tests.question_generation.jointav.parts import timed

pytestmark = pytest.mark.unit


def test_inventions_blanks_and_repeats_fall() -> None:
    told = [
        timed(0, "Crumpling sound"),
        timed(1, "None."),
        timed(2, "a bell"),
        timed(2, "A bell"),
        timed(0, "no sound is heard"),
        timed(5, "A note rings out in the hall, and nothing answers it at all."),
    ]
    assert [one.start for one in sounds(told)] == [2, 5]


def test_a_voice_belongs_to_the_line_it_says() -> None:
    lines = [timed(0, "I never left."), timed(3, "The bridge is closed tonight.")]
    assert line_said("the bridge's closed tonight", lines) == lines[1]
    assert line_said("something else was said here", lines) is None
    assert line_said("", lines) is None


@pytest.mark.parametrize("tone", ["neutral", "Neutral tone", "a calm voice", "", "unclear", "N/A"])
def test_neutral_tones_tell_nothing(tone: str) -> None:
    assert trait(timed(0, "I never left."), tone) is None


def test_a_tone_is_told_with_its_line() -> None:
    told = trait(timed(0, "I never left."), "angry", "an old man")
    assert told is not None
    assert told.text == "'I never left.' is said with an angry tone by an old man"
