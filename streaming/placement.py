"""Placement: when a description is spoken, in which form and how fast. Pure.

The gap that counts lies between the viewers' playhead and the live edge. A cue starts no sooner
than ``earliest``, lies in free time, stays near the moment it describes, and is dropped rather
than squeezed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from strad.timeline import Interval, Ms
from streaming.announcement import DropReason


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a cue may be bent to fit."""

    before_speech: Ms = 400
    """Kept free before speech: VAD hears a soft beginning up to 0.36 s late (measured)."""
    after_speech: Ms = 250
    """Kept free after it: a soft ending is missed by up to 0.15 s."""
    spacing: Ms = 250
    """Kept free between two descriptions."""
    max_early: Ms = 500
    """A cue starts at most this long before what it describes: nothing is foretold."""
    max_late: Ms = 6_000
    """A cue starts at most this long after it."""
    max_rate: float = 1.25
    """Never spoken faster than this: 150 words a minute become 187."""
    hearing_lag: Ms = 1_000
    """A gap still open this recently may be taken provisionally."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A description that wants a place: the lengths of its forms, short to long."""

    when: Interval
    """What it describes."""
    lengths: tuple[Ms, ...]
    """Spoken length of each form at the voice's own rate."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a cue may go."""

    free: Sequence[Interval]
    """Free spans in order, guards and spacing already taken off."""
    open: bool
    """Whether the last one may still grow."""
    earliest: Ms
    """No cue starts before this: playhead plus lead."""
    known_to: Ms
    """Up to here speech is decided."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Speak form number ``form`` during ``when``, at ``rate`` times the voice's own rate."""

    when: Interval
    form: int
    rate: float
    provisional: bool


@dataclass(frozen=True, slots=True)
class Hold:
    """Not yet: a place may still open."""


@dataclass(frozen=True, slots=True)
class Refused:
    """There is no place for it, and none will come."""

    reason: DropReason


Verdict: TypeAlias = Placed | Hold | Refused


def place(offer: Offer, ground: Ground, limits: Limits) -> Verdict:
    """Find the place that bends the description least."""
    starts = _starts(offer, ground, limits)
    if starts is None:
        return Refused(DropReason.TOO_LATE)
    return (
        _in_known_time(offer, ground, starts, limits)
        or _provisional(offer, ground, starts, limits)
        or _later(offer, ground, starts)
    )


def _starts(offer: Offer, ground: Ground, limits: Limits) -> Interval | None:
    """The span in which the cue may start."""
    first = max(ground.earliest, offer.when.start - limits.max_early)
    last = offer.when.start + limits.max_late
    return Interval(first, last) if first <= last else None


def _in_known_time(
    offer: Offer, ground: Ground, starts: Interval, limits: Limits
) -> Placed | Hold | None:
    for form in reversed(range(len(offer.lengths))):
        length = offer.lengths[form]
        wanted = offer.when.start
        start = _nearest_start(wanted, length, ground.free, starts)
        if start is not None and (start >= wanted or not _in_time_soon(wanted, length, ground)):
            return Placed(Interval(start, start + length), form, 1.0, provisional=False)
        if start is not None or _worth_holding(length, ground, starts):
            return Hold()
        if placed := _faster(form, length, ground.free, starts, limits):
            return placed
    return None


def _nearest_start(wanted: Ms, length: Ms, free: Sequence[Interval], starts: Interval) -> Ms | None:
    """The start nearest to ``wanted`` at which ``length`` fits."""
    found = [min(max(wanted, first), last) for first, last in _rooms(length, free, starts)]
    return min(found, key=lambda start: (abs(start - wanted), start), default=None)


def _rooms(length: Ms, free: Sequence[Interval], starts: Interval) -> Iterator[tuple[Ms, Ms]]:
    """For each free span with room for ``length``: the first and last start."""
    for span in free:
        first, last = max(span.start, starts.start), min(span.end - length, starts.end)
        if first <= last:
            yield first, last


def _in_time_soon(wanted: Ms, length: Ms, ground: Ground) -> bool:
    """Whether it need not come early: the gap at its very moment is about to be long enough."""
    if not ground.free or ground.free[-1].start > wanted:
        return False
    return _worth_holding(length, ground, Interval(wanted, wanted))


def _worth_holding(length: Ms, ground: Ground, starts: Interval) -> bool:
    """Whether the open gap can still grow long enough before the playhead is there."""
    if not ground.open or not ground.free:
        return False
    start = max(ground.free[-1].start, starts.start)
    wait = start + length - ground.free[-1].end
    return start <= starts.end and 0 < wait <= start - ground.earliest


def _faster(
    form: int, length: Ms, free: Sequence[Interval], starts: Interval, limits: Limits
) -> Placed | None:
    """Spoken faster, but no faster than needed and allowed."""
    best: Placed | None = None
    for first, _ in _rooms(math.ceil(length / limits.max_rate), free, starts):
        room = next(span for span in free if span.start <= first < span.end).end - first
        rate = max(1.0, length / room)
        if best is None or rate < best.rate:
            best = Placed(Interval(first, first + min(room, length)), form, rate, provisional=False)
    return best


def _provisional(offer: Offer, ground: Ground, starts: Interval, limits: Limits) -> Placed | None:
    """The gap that is open now, where the delay is too short to know how long it lasts."""
    if not ground.open or not ground.free:
        return None
    gap = ground.free[-1]
    start = max(gap.start, starts.start)
    if start > starts.end or start - ground.known_to > limits.hearing_lag:
        return None
    if ground.known_to - ground.earliest >= offer.lengths[0]:
        return None  # the delay covers the shortest form: it can be placed firmly or not at all
    return Placed(Interval(start, start + offer.lengths[0]), 0, 1.0, provisional=True)


def _later(offer: Offer, ground: Ground, starts: Interval) -> Hold | Refused:
    """A gap may still begin before the last moment at which the cue may start."""
    shortest = offer.lengths[0]
    horizon = ground.known_to - ground.earliest
    if ground.known_to < starts.end and horizon >= shortest:
        return Hold()
    reachable = any(span.end > starts.start and span.start <= starts.end for span in ground.free)
    return Refused(DropReason.TOO_LONG if reachable else DropReason.NO_GAP)
