"""Which moments of a film are wanted: spans, and evenly spaced times in each. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from strad.timeline import Interval, Ms

NEAR: Ms = 4_000
"""Spans no further apart than this are decoded in one go: seeking would not be faster."""
LONGEST: Ms = 60_000
"""A stretch ends before the first span that begins so long after its start."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The spans, by their starts, in ms of the film."""

    spans: tuple[tuple[Ms, Ms], ...]
    count: int
    """Pictures of each span."""
    sound: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring spans as one, and every moment of them that is wanted, rising."""

    when: Interval
    times: tuple[Ms, ...]
    spans: int
    """How many they are."""


def moments(when: Interval, count: int) -> tuple[Ms, ...]:
    """``count`` evenly spaced times from the first moment to the last, both included."""
    if count == 1:
        return (when.start + when.duration // 2,)
    return tuple(when.start + n * when.duration // (count - 1) for n in range(count))


def inside(span: Interval, length: Ms | None) -> Interval | None:
    """The part of a span that a film of this length has; None where it has none of it."""
    start, end = max(0, span.start), span.end if length is None else min(span.end, length)
    return Interval(start, end) if start < end else None


def stretches(wanted: Wanted, length: Ms | None) -> Iterable[Stretch]:
    """In order. A span that the film doesn't have is in none."""
    run: list[Interval] = []
    for start, end in wanted.spans:
        span = inside(Interval(start, end), length)
        if span is None:
            continue
        if run and not _goes_on(run, span):
            yield _joined(run, wanted.count)
            run = []
        run.append(span)
    if run:
        yield _joined(run, wanted.count)


def _goes_on(run: list[Interval], span: Interval) -> bool:
    end = max(one.end for one in run)
    return span.start <= end + NEAR and span.start < run[0].start + LONGEST


def _joined(run: list[Interval], count: int) -> Stretch:
    times = {t for span in run for t in moments(span, count)}
    when = Interval(run[0].start, max(span.end for span in run))
    return Stretch(when, tuple(sorted(times)), len(run))
