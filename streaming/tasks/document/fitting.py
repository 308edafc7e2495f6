"""Whether a text can be said in its slot, and when in it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from strad.timeline import Interval, Ms


def longest_that_fits(lengths: Sequence[Ms], room: Ms) -> int | None:
    """Which of the forms, short to long, to take; None where none fits."""
    fitting = [n for n, length in enumerate(lengths) if 0 < length <= room]
    return max(fitting, key=lambda n: (lengths[n], n), default=None)


def said_when(slot: Interval, length: Ms, seen: Ms) -> Interval:
    """Inside the slot, as near to the moment it is about as it may. It must fit."""
    start = min(max(seen, slot.start), slot.end - length)
    if length < 0 or start < slot.start:
        raise ValueError(f"{length} ms don't fit in {slot.duration} ms")
    return Interval(start, start + length)
