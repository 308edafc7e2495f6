"""Questions of order: where (a), (b) and (c) first appear, and whether the answer is that order.

The model says where each element appears and quotes the line; the rest is rules. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Literal, TypeAlias

from question_generation.jointav.draft import Part, PartLine
from question_generation.scene import Kind

Place: TypeAlias = tuple[int, float]
"""The part's number, and the time of the line in seconds of the video."""
By: TypeAlias = Literal["part", "time"]
_LABEL = re.compile(r"\(\s*([a-zA-Z])\s*\)")
_WORD = re.compile(r"\w+")
LABELS = ("a", "b", "c")


@dataclass(frozen=True, slots=True)
class Element:
    """One of the things whose order is asked."""

    label: str
    kind: Kind
    place: Place | None
    """Where it first appears; None: nowhere."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """The right order. ``corrected``: the answer had another."""

    order: tuple[str, ...]
    corrected: bool


@dataclass(frozen=True, slots=True)
class Unsound:
    """Why nothing can be said of an order."""

    reason: str


def labels_in(text: str) -> tuple[str, ...]:
    """The labels in it, in order."""
    return tuple(label.lower() for label in _LABEL.findall(text))


def written(order: Iterable[str]) -> str:
    """The order as ``(b)(a)(c)``."""
    return "".join(f"({label})" for label in order)


def find(parts: Sequence[Part], kind: Kind, quote: str) -> Place | None:
    """The first line of this kind that holds the words of ``quote``, one after another."""
    wanted = plain(quote)
    if not wanted:
        return None
    for part in parts:
        for line in part.lines:
            if line.kind == kind and _holds(line, wanted):
                return part.number, line.start
    return None


def plain(text: str) -> str:
    """Lower-case words with a space around each."""
    words = _WORD.findall(text.lower())
    return f" {' '.join(words)} " if words else ""


def judged(elements: Sequence[Element], answer: str, *, by: By, correct: bool) -> Ordered | Unsound:
    """The order of first appearances, against the answer's.

    ``by`` part: the elements must lie in different parts; by time: at different times. ``correct``:
    a wrong order is put right, not refused.
    """
    stated = labels_in(answer)
    labels = tuple(element.label for element in elements)
    if sorted(labels) != sorted(LABELS) or sorted(stated) != sorted(LABELS):
        return Unsound("not an order of (a), (b) and (c)")
    places = [element.place for element in elements if element.place is not None]
    if len(places) < len(elements):
        return Unsound("an element is nowhere to be found")
    if len({element.kind for element in elements}) < 2:
        return Unsound("all elements are of one kind")
    keys = [place[0] if by == "part" else place for place in places]
    if len(set(keys)) < len(keys):
        return Unsound("two elements come together")
    order = tuple(label for _, label in sorted(zip(places, labels, strict=True)))
    if order != stated and not correct:
        return Unsound("the order is wrong")
    return Ordered(order, corrected=order != stated)


def other_orders(order: Sequence[str], count: int, random: Random) -> tuple[str, ...]:
    """``count`` other orders of the same labels, drawn without repeats."""
    others = [each for each in permutations(sorted(order)) if each != tuple(order)]
    return tuple(written(each) for each in random.sample(others, count))


def _holds(line: PartLine, wanted: str) -> bool:
    return wanted in plain(line.text)
