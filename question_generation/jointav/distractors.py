"""Wrong options: exactly three, unlike the answer and each other; and options by rule. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random

from question_generation.jointav.draft import Part

COUNT = 3
MOST_CHARACTERS = 400
_EMPTY_WORDS = {"a", "an", "the", "is", "are", "was", "were", "and", "of"}
_CATCH_ALL = re.compile(
    r"\b(?:all|none|both|neither|any) (?:of )?(?:the )?(?:above|these|those|options|others)\b", re.I
)
_LABELLED = re.compile(r"^\s*(?:\(?[A-Da-d1-4][).:]|[-*\u2022]|option\b|distractor\b)\s*\S", re.I)


def fault(wrong: Sequence[str], answer: str) -> str:
    """What is wrong with three wrong options, in words that a model is told; empty: nothing."""
    if len(wrong) != COUNT:
        return f"want exactly {COUNT} wrong options"
    for text in wrong:
        if found := _alone(text):
            return found
    if any(same(text, answer) for text in wrong):
        return "a wrong option is the answer"
    if any(same(one, other) for one, other in combinations(wrong, 2)):
        return "two options are the same"
    return ""


def same(one: str, other: str) -> bool:
    """Whether two options are told apart by nothing but case, punctuation and empty words."""
    return essence(one) == essence(other)


def essence(text: str) -> tuple[str, ...]:
    """The words that tell an option from others, in order; all words where all say nothing."""
    words = re.findall(r"\w+", text.casefold())
    return tuple(word for word in words if word not in _EMPTY_WORDS) or tuple(words)


def stretches(parts: Sequence[Part], answer: tuple[int, int], random: Random) -> tuple[str, ...]:
    """Three other stretches of as many parts as the answer has; shorter ones where those don't do.

    Fewer than three, where the video has no more parts.
    """
    first, last = answer
    numbers = [part.number for part in parts]
    length = last - first + 1
    others: list[tuple[int, int]] = []
    for size in (length, *range(length - 1, 0, -1)):
        fit = [
            (start, start + size - 1)
            for start in numbers
            if start + size - 1 in numbers and (start, start + size - 1) != answer
        ]
        others += random.sample(fit, min(COUNT - len(others), len(fit)))
        if len(others) == COUNT:
            break
    return tuple(stretch_text(each) for each in others)


def stretch_text(stretch: tuple[int, int]) -> str:
    """``Segment 3``, or ``Segment 3 to Segment 5``."""
    first, last = stretch
    return f"Segment {first}" if first == last else f"Segment {first} to Segment {last}"


def shuffled(answer: str, wrong: Sequence[str], random: Random) -> tuple[str, ...]:
    """All options in a drawn order."""
    return tuple(random.sample([answer, *wrong], 1 + len(wrong)))


def _alone(text: str) -> str:
    if not text.strip():
        return "an option is empty"
    if len(text) > MOST_CHARACTERS:
        return "an option is too long"
    if _CATCH_ALL.search(text):
        return "an option speaks of other options"
    return "an option carries a label" if _LABELLED.match(text) else ""
