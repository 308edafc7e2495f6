"""What is scored at once: one chunk of one video, its references, predictions and speech."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Event:
    """One description, in seconds from the start of the video. Exact: no rounding to ms."""

    start: float
    end: float
    text: str
    tokens: str = ""
    """Its Penn Treebank tokens, joined by spaces."""

    @property
    def duration(self) -> float:
        return self.end - self.start


Span = tuple[float, float]
"""Start and end, in seconds."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One chunk. Events belong to the chunk in which they start, and keep their whole length."""

    video: str
    chunk: int
    span: Span
    references: tuple[Event, ...]
    """In order of their start."""
    predictions: tuple[Event, ...]
    """In order of their start."""
    speech: tuple[Span, ...] | None = None
    """Merged, in order: what touches ``span`` and the first after it; None where no transcript is
    known."""
    words: str | None = None
    """What is said in it, where a transcript is known."""
    duration: float = float("inf")
    """The whole video's, in seconds."""
    genre: str | None = None
    predicted: bool = True
    """Whether the predictions hold anything at all for this video."""


def spans_of(events: Iterable[Event]) -> NDArray[np.float64]:
    """Starts and ends, shape (n, 2), in seconds."""
    return np.array([(e.start, e.end) for e in events], dtype=np.float64).reshape(-1, 2)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same time covered, as sorted spans that neither overlap nor touch."""
    out: list[Span] = []
    for start, end in sorted(s for s in spans if s[1] > s[0]):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return tuple(out)


def shared(span: Span, others: tuple[Span, ...]) -> float:
    """How many seconds of ``span`` the sorted, disjoint ``others`` cover."""
    return sum(max(0.0, min(span[1], end) - max(span[0], start)) for start, end in others)
