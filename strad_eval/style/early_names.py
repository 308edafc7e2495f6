"""Rule 8: a person is named only once the programme has named them (Netflix, DCMP).

A hint only: names are taken to be capitalised words in the middle of a sentence, and the
programme to name them where its transcript first holds the word. On-screen names are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_INSIDE = re.compile(r"(?<=[a-z,;] )([A-Z][a-z]+)\b(?!\.\w)")
_NOT_PEOPLE = frozenset(
    (
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
        *("October", "November", "December", "Christmas", "Easter", "God", "English", "French"),
        *("German", "Spanish", "American", "British"),
    )
)
_WORD = re.compile(r"[a-z]+")


def names_in(text: str) -> list[str]:
    """The words of a description that look like names."""
    return [name for name in _INSIDE.findall(text) if name not in _NOT_PEOPLE]


def first_said(lines: Iterable[tuple[float, str]]) -> dict[str, float]:
    """When each word (lower case) is first said, of (start in seconds, text)."""
    first: dict[str, float] = {}
    for start, text in lines:
        for word in _WORD.findall(text.lower()):
            first[word] = min(start, first.get(word, start))
    return first


def named_early(text: str, start: float, said: dict[str, float]) -> bool:
    """Whether the description names somebody whose name is only said later.

    A name that is never said counts as known: there is no telling from the transcript.
    """
    return any(said.get(name.lower(), start) > start for name in names_in(text))
