"""What was said and described, as elements of text with times. Pure.

Words are joined into phrases, from the beginning of each cell of a fixed grid and never across one:
so a phrase is the same in every window that shows its cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms

CELL: Ms = 30_000
"""Step of the grid on which old context is let go, and at which phrases are cut."""
PAUSE: Ms = 600
"""Silence that ends a phrase."""
LONGEST: Ms = 6_000
"""No phrase goes on for longer, so that its times tell something."""
_ENDS = (".", "?", "!", "…", "。", "?", "!")


class Source(StrEnum):
    """Who said it."""

    SPEECH = "Speech"
    AD = "Described"


@dataclass(frozen=True, slots=True)
class Element:
    """One phrase, or one earlier description."""

    when: Interval
    source: Source
    text: str


def elements(words: Iterable[Word], history: Iterable[Cue]) -> list[Element]:
    """All elements by their start."""
    described = [Element(cue.when, Source.AD, text) for cue in history if (text := clean(cue.text))]
    return sorted([*phrases(words), *described], key=lambda element: element.when)


def phrases(words: Iterable[Word]) -> list[Element]:
    """Words joined up to a pause, the end of a sentence or of a cell, or as far as they may go."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and _goes_on(runs[-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [phrase for run in runs if (phrase := _phrase(run)).text]


def _phrase(run: list[Word]) -> Element:
    when = Interval(run[0].when.start, max(word.when.end for word in run))
    return Element(when, Source.SPEECH, clean(" ".join([word.text for word in run])))


def clean(text: str) -> str:
    """One line without the brackets that times and a model's own marks are made of."""
    return " ".join(text.replace("<", " ").replace(">", " ").split())


def _goes_on(run: list[Word], word: Word) -> bool:
    first, last, start = run[0].when.start, run[-1], word.when.start
    if start - last.when.end >= PAUSE or word.when.end - first > LONGEST:
        return False
    return first // CELL == start // CELL and not last.text.rstrip().endswith(_ENDS)
