"""What a session counts. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from strad.cues import AdEvent
from strad.decision import Wait, WaitReason
from strad.timeline import Ms
from streaming.announcement import Dropped, DropReason, Withdrawn
from streaming.effects import Effect, WindowClosed


class SessionStats(NamedTuple):
    """A stream in numbers."""

    live_edge: Ms
    windows: int
    """Windows answered."""
    events: int
    withdrawn: int
    waits: Mapping[WaitReason, int]
    drops: Mapping[DropReason, int]
    skipped: int
    """Windows never asked, since newer media had come."""
    no_gap: int
    """Steps that touched no free span."""


class Tally:
    """Counts effects as they pass."""

    def __init__(self, so_far: SessionStats | None = None) -> None:
        self.no_gap = so_far.no_gap if so_far else 0
        self._windows = so_far.windows if so_far else 0
        self._events = so_far.events if so_far else 0
        self._withdrawn = so_far.withdrawn if so_far else 0
        self._waits: Counter[WaitReason] = Counter(so_far.waits if so_far else {})
        self._drops: Counter[DropReason] = Counter(so_far.drops if so_far else {})

    def count(self, effect: Effect) -> None:
        """Count what an effect means; questions mean nothing yet."""
        match effect:
            case AdEvent():
                self._events += 1
            case Withdrawn():
                self._withdrawn += 1
            case Dropped(reason=reason):
                self._drops[reason] += 1
            case WindowClosed(decision=decision):
                self._windows += 1
                if isinstance(decision, Wait):
                    self._waits[decision.reason] += 1
            case _:
                pass

    def stats(self, live_edge: Ms, skipped: int) -> SessionStats:
        """The numbers so far."""
        return SessionStats(
            live_edge=live_edge,
            windows=self._windows,
            events=self._events,
            withdrawn=self._withdrawn,
            waits=dict(self._waits),
            drops=dict(self._drops),
            skipped=skipped,
            no_gap=self.no_gap,
        )
