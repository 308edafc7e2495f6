"""One question with its options and key, whichever benchmark it is from."""

from __future__ import annotations

from dataclasses import dataclass, field

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Item:
    """A question. ``groups`` are what scores are broken down by."""

    id: str
    video: str
    question: str
    options: tuple[str, ...]
    answer: int
    """Which option is right, from 0."""
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By breakdown (``category``, ``task``, ...): the groups it counts in, mostly one."""
    segment: tuple[float, float] | None = None
    """What it is about, in seconds of the video; None for all of it."""
    dialogue: str | None = None
    """What is said in it, where the benchmark brings it."""

    @property
    def key(self) -> str:
        """The right option's text."""
        return self.options[self.answer]
