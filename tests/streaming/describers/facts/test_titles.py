"""Text is read when it is legible, lasts, and isn't being said anyway."""

from __future__ import annotations

import pytest

from strad.speech import Word
from strad.timeline import Interval
from streaming.describers.facts.look import Line
from streaming.describers.facts.titles import alike, titles
from tests.streaming.describers.facts.scenes import line, looks

pytestmark = pytest.mark.unit


def _read(*shown: list[Line], words: tuple[Word, ...] = (), language: str = "en") -> list[str]:
    found = titles(looks(*shown), 0, words, language)
    return [claim.subject for claim in found]


def test_a_line_read_twice_is_claimed_verbatim() -> None:
    assert _read([line("Chapter One")], [line("Chapter One")]) == ["Chapter One"]


def test_a_line_read_once_is_not() -> None:
    assert _read([line("Chapter One")]) == []
    assert _read([line("Chapter One")], [line("Another line")]) == []


def test_lines_come_top_to_bottom() -> None:
    shown = [line("PRESENTS", top=0.6), line("THE PEACH PROJECT", top=0.4)]
    assert _read(shown, shown) == ["THE PEACH PROJECT", "PRESENTS"]


@pytest.mark.parametrize("text", ["***", "K", "11", "~~ ab ~~ ~~", "品鑫品"])
def test_texture_is_not_text(text: str) -> None:
    assert _read([line(text)], [line(text)]) == []


def test_doubtful_readings_are_left_out() -> None:
    assert _read([line("Chapter One", 0.89)], [line("Chapter One", 0.89)]) == []


def test_other_scripts_are_read_where_the_language_has_them() -> None:
    assert _read([line("第一章")], [line("第一章")], language="zh-Hans") == ["第一章"]


def test_subtitles_of_what_is_said_are_not_read() -> None:
    said = tuple(
        Word(Interval(at * 300, at * 300 + 250), word)
        for at, word in enumerate(["tell", "me", "where", "the", "money", "is"])
    )
    shown = [line("Tell me where the money is.")]
    assert _read(shown, shown, words=said) == []
    late = tuple(Word(word.when.shift(60_000), word.text) for word in said)
    assert _read(shown, shown, words=late) == ["Tell me where the money is."]


def test_a_misread_letter_is_the_same_line_but_another_number_is_not() -> None:
    assert alike("THE PEACH OPEN MOVIE", "THE PEACH OPEN MQVIE")
    assert not alike("Episode 1", "Episode 2")
