"""Subtitles as they come, made clean: what nobody says is taken out, or put where it belongs. Pure.

The paper drops a line that is repeated more than twice in a row (speech recognition that loops) and
lines that are not ASCII. Here typographic marks and accents are made plain first: only other
scripts fall. What subtitles for the deaf say in brackets is heard, not said: it becomes a sound.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from strad.record import TimedText

MOST_REPEATS = 2
"""A line that comes more often in a row is dropped wholly."""
_PLAIN = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u2013": "-",
        "\u2014": "-",
        "\u2026": "...",
        "\u00a0": " ",
    }
)
_MARKUP = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_BRACKET = re.compile(r"\[([^\[\]]*)\]|\(([^()]*)\)")
_SPEAKER = re.compile(r"^(?:-\s*)?(?:[A-Z][A-Z .'0-9]{1,30}:\s*)?")
_NOTES = re.compile(r"[\u2669-\u266c#]")
_SINGS = re.compile(r"[\u2669-\u266c]")
_MUSIC = re.compile(r"\b(?:music|song|melody|theme|singing|sings)\b", re.I)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What was said, and what else the subtitles tell that is heard."""

    dialogue: tuple[TimedText, ...]
    sounds: tuple[TimedText, ...]
    music: tuple[TimedText, ...]


def clean(lines: Iterable[TimedText]) -> Cleaned:
    """The lines by time, clean."""
    ordered = sorted(lines, key=lambda line: (line.start, line.end))
    sounds: list[TimedText] = []
    music: list[TimedText] = []
    said: list[TimedText] = []
    for line in ordered:
        text = plain_text(line.text)
        for aside in _asides(text):
            (music if _MUSIC.search(aside) else sounds).append(_with(line, aside))
        if _SINGS.search(line.text):
            continue
        words = _SPEAKER.sub("", _BRACKET.sub(" ", text).strip())
        words = " ".join(_NOTES.sub(" ", words).split())
        if any(c.isalnum() for c in words) and words.isascii():
            said.append(_with(line, words))
    return Cleaned(tuple(_unlooped(said)), tuple(sounds), tuple(music))


def plain_text(text: str) -> str:
    """Without markup, typographic marks and accents; other scripts stay as they are."""
    told = _MARKUP.sub("", text).translate(_PLAIN)
    parts = unicodedata.normalize("NFKD", told)
    return "".join(c for c in parts if not unicodedata.combining(c))


def _asides(text: str) -> list[str]:
    found = [(a or b).strip(" .,-") for a, b in _BRACKET.findall(text)]
    return [aside for aside in found if any(c.isalnum() for c in aside) and aside.isascii()]


def _unlooped(lines: Sequence[TimedText]) -> Iterable[TimedText]:
    for _, run in groupby(lines, key=lambda line: line.text.casefold()):
        again = list(run)
        if len(again) <= MOST_REPEATS:
            yield from again


def _with(line: TimedText, text: str) -> TimedText:
    return TimedText(start=line.start, end=line.end, text=text)
