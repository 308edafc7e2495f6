"""Settlements: what became of one description, and on what ground. Pure.

Told to whoever witnesses a Session, beside its effects: to explain a run, never to steer it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from strad.cues import AdEvent
from strad.timeline import Ms
from streaming.announcement import Dropped
from streaming.board import Waiting
from streaming.placement import Ground, Placed


class Why(StrEnum):
    """Why a description is spoken when and as it is."""

    AS_PREDICTED = "as-predicted"
    """Placement is off: the predicted times stand."""
    AT_ITS_MOMENT = "at-its-moment"
    EARLIER = "earlier"
    """A little before its moment, where its form fits."""
    LATER = "later"
    """At its moment there was no room for its form, or the playhead had passed."""
    FASTER = "faster"
    """Its form fits nowhere at the voice's own rate."""
    PROVISIONAL = "provisional"
    """The gap is open and the delay too short to know how long it lasts."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """One description, and what came of it."""

    waiting: Waiting
    at: Ms
    """All media before this was dealt with then."""
    outcome: AdEvent | Dropped
    why: Why | None
    """Of a placed one."""
    ground: Ground | None
    """Where it might have gone; None where nobody had to look."""


Witness: TypeAlias = Callable[[Settlement], None]


def why_placed(wanted: Ms, placed: Placed) -> Why:
    """The one thing that bent it most. ``wanted`` is where what it describes begins."""
    if placed.provisional:
        return Why.PROVISIONAL
    if placed.rate > 1.0:
        return Why.FASTER
    if placed.when.start == wanted:
        return Why.AT_ITS_MOMENT
    return Why.EARLIER if placed.when.start < wanted else Why.LATER
