"""Media time: where things lie on a stream's own timeline.

All times are integer milliseconds of *media* time, never wall time. They are made from PTS once,
in ``streaming.ingest``. Files and the wire carry seconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Ms: TypeAlias = int
"""A point on, or a length of, the media timeline, in milliseconds."""


def from_seconds(seconds: float) -> Ms:
    """Seconds as whole milliseconds, to the nearest. Raises ValueError on NaN or infinity."""
    if not math.isfinite(seconds * 1000):
        raise ValueError(f"not a time: {seconds}")
    return round(seconds * 1000)


def to_seconds(ms: Ms) -> float:
    """Milliseconds as seconds."""
    return ms / 1000


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A half-open span ``[start, end)`` of media time."""

    start: Ms
    end: Ms

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise ValueError(f"interval ends before it starts: {self.start} > {self.end}")

    @property
    def duration(self) -> Ms:
        return self.end - self.start

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share any time at all."""
        return self.start < other.end and other.start < self.end

    def intersect(self, other: Interval) -> Interval | None:
        """The part both share, or None when they do not overlap."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Interval(start, end) if start < end else None

    def shift(self, by: Ms) -> Interval:
        """The same span, ``by`` later."""
        return Interval(self.start + by, self.end + by)

    def widen(self, by: Ms) -> Interval:
        """The span grown by ``by`` on either side."""
        return Interval(self.start - by, self.end + by)


@dataclass(frozen=True, slots=True)
class Epoch:
    """From ``stream`` on, the player shows ``player`` and moves at ``rate``.

    Stream time only rises; a seek, another source or another playback rate starts a new epoch.
    """

    stream: Ms
    player: Ms
    rate: float = 1.0

    def player_time(self, stream: Ms) -> Ms:
        """What the player's clock reads at this stream time."""
        return self.player + round((stream - self.stream) * self.rate)


def merge(spans: Iterable[Interval]) -> list[Interval]:
    """The same time covered, as sorted spans that neither overlap nor touch. Empty ones vanish."""
    merged: list[Interval] = []
    for span in sorted(s for s in spans if s.duration > 0):
        if merged and span.start <= merged[-1].end:
            if span.end > merged[-1].end:
                merged[-1] = Interval(merged[-1].start, span.end)
        else:
            merged.append(span)
    return merged


def subtract(whole: Interval, spans: Iterable[Interval]) -> list[Interval]:
    """What is left of ``whole`` once ``spans`` are taken out, in order."""
    left: list[Interval] = []
    at = whole.start
    for span in merge(spans):
        if span.end <= at:
            continue
        if span.start >= whole.end:
            break
        if span.start > at:
            left.append(Interval(at, span.start))
        at = span.end
    if at < whole.end:
        left.append(Interval(at, whole.end))
    return left


def covered(spans: Iterable[Interval]) -> Ms:
    """How much time the spans cover together, overlaps counted once."""
    return sum(span.duration for span in merge(spans))
