"""What a window of a stream is an example of (StrAD, 4.2). Pure.

An unseen AD event in it: to be described. Nothing but dialogue, no AD event, or an event that lies
mostly outside it: to wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from strad.cues import Cue
from strad.timeline import Interval
from training.example import Kind, Why


@dataclass(frozen=True, slots=True)
class Label:
    """The kind, the ground, and the event that is to be described."""

    kind: Kind
    why: Why
    event: Cue | None = None


def label(window: Interval, unseen: Sequence[Cue], *, speech: bool) -> Label:
    """``unseen``: events nobody has described yet, by their start; ``speech``: any in the window.

    Of several events the first counts.
    """
    there = [event for event in unseen if event.when.overlaps(window)]
    for event in there:
        if not mostly_outside(event.when, window):
            return Label(Kind.AD, Why.UNSEEN_AD, event)
    if there:
        return Label(Kind.WAIT, Why.MOSTLY_OUTSIDE)
    return Label(Kind.WAIT, Why.DIALOGUE if speech else Why.NO_AD)


def mostly_outside(event: Interval, window: Interval) -> bool:
    """Whether less than half of the event lies in the window."""
    common = event.intersect(window)
    return 2 * (common.duration if common else 0) < event.duration
