"""Reads what a description states: quoted text, numbers, and the words that claim something.

Made to be strict: a word it does not know is a claim. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

OCR_TOLERANCE = 0.85
"""Share of letters that must agree for a text to count as read."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019.,&-][^\W_]+)*")

EMPTY = frozenset(
    """
    a an the this that these those it its he she they his her their there here some
    of on in at by to with and or from near beside behind over under above below before against into
    is are was be being has have seen shown visible appears appear shows show comes
    text title titles caption sign words word reads read reading says say written screen
    view up least picture image photo photograph shot view scene frame footage
    """.split()  # noqa: SIM905
)
"""Words that claim nothing of their own."""

CHANGE = frozenset({"new", "change", "changes", "changed", "cut", "cuts", "next", "then", "now"})
"""Words that claim that the picture has changed."""

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: number for number, word in enumerate(_NUMBERS, 1)}
"""``a`` is no number: a person may be one of two."""

VAGUE = {"several": 3, "many": 3}
"""At least so many."""

_PLURALS = {"people": "person", "men": "man", "women": "woman", "persons": "person"}


@dataclass(frozen=True, slots=True)
class Claim:
    """One word, and how many of it are claimed."""

    word: str
    count: int = 1
    """At least so many; 2 where there is only a plural."""
    exact: bool = False
    """Whether no more than ``count`` are claimed."""


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return [word.casefold() for word in _WORD.findall(text)]


def letters(text: str) -> str:
    """Only what OCR reads for certain: letters and digits, in lower case."""
    return "".join(char for char in text.casefold() if char.isalnum())


def without_quotes(said: list[str], lines: Iterable[str]) -> tuple[list[str], frozenset[str]]:
    """What is left of the words once on-screen lines are taken out, and which lines were read."""
    left, found = list(said), set[str]()
    for line in sorted(lines, key=len, reverse=True):
        span = _best_span(left, letters(line))
        if span is not None:
            found.add(line)
            left[span[0] : span[1]] = []
    return left, frozenset(found)


def _best_span(said: list[str], line: str) -> tuple[int, int] | None:
    best, best_ratio = None, OCR_TOLERANCE
    for start, end in combinations(range(len(said) + 1), 2):
        span = letters("".join(said[start:end]))
        if abs(len(span) - len(line)) > 0.3 * len(line):
            continue
        ratio = SequenceMatcher(None, span, line, autojunk=False).ratio()
        if ratio >= best_ratio:
            best, best_ratio = (start, end), ratio
    return best


def claims(said: list[str]) -> Iterator[Claim]:
    """The claims in words that quote nothing, each with the number said before it."""
    number, exact = 0, False
    for before, word in zip(["", *said], said, strict=False):
        if word in VAGUE:
            number, exact = VAGUE[word], False
        elif word in NUMBERS:
            number, exact = NUMBERS[word], before != "least"
        elif word not in EMPTY:
            plural = is_plural(word)
            yield Claim(word, number or (2 if plural else 1), exact)
            if plural:
                number, exact = 0, False


def is_plural(word: str) -> bool:
    """Whether it speaks of more than one; a guess where the word is not known."""
    return word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def singular(word: str) -> str:
    """One of it."""
    if word in _PLURALS:
        return _PLURALS[word]
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if is_plural(word) else word
