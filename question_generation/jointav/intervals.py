"""The smallest stretch of a video that a question needs; where it is cut to predict. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from question_generation.jointav.draft import Part


@dataclass(frozen=True, slots=True)
class Stretch:
    """Parts ``first`` to ``last``, both included, by their numbers."""

    first: int
    last: int


def needed(parts: Sequence[Part], first: int, last: int, *, across: bool) -> Stretch | str:
    """The stretch, if it is one that a question may be about; else why not.

    It lies in the video, in order, and is not all of it; ``across``: it has two parts at least.
    """
    numbers = [part.number for part in parts]
    if first not in numbers or last not in numbers:
        return "a segment that is not there"
    if first > last:
        return "the stretch ends before it starts"
    if (first, last) == (numbers[0], numbers[-1]):
        return "it needs the whole video"
    if across and first == last:
        return "it needs one segment only"
    return Stretch(first, last)


def before(parts: Sequence[Part], first: int, event: int) -> Stretch | str:
    """What is shown where ``event``, a part's number, is to be predicted: all up to it."""
    numbers = [part.number for part in parts]
    if first not in numbers or event not in numbers:
        return "a segment that is not there"
    if event <= first:
        return "nothing is shown before the event"
    return Stretch(first, numbers[numbers.index(event) - 1])


def cut(parts: Sequence[Part], stretch: Stretch) -> tuple[Part, ...]:
    """The parts of the stretch."""
    return tuple(part for part in parts if stretch.first <= part.number <= stretch.last)
