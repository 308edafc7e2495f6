"""AD events announced: numbered, on record, and taken back when speech starts under them. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from strad.cues import AdEvent, Cue
from strad.decision import Describe
from strad.timeline import Epoch, Interval, Ms
from streaming.placement import Placed

TOUCH: Ms = 150
"""Speech that shares less than this with an AD does not take it back."""


class Announced:
    """The AD of one stream, as far back as it matters."""

    def __init__(self, *, describer: str, draft: bool, language: str, delay: Ms) -> None:
        self._describer = describer
        self._draft = draft
        self._language = language
        self._delay = delay
        self._events: list[AdEvent] = []
        self._seq = 0

    def times(self) -> list[Interval]:
        """The spans taken by AD that still stands."""
        return [event.cue.when for event in self._events]

    def post(
        self, describe: Describe, placed: Placed, *, cursor: Ms, edge: Ms, epoch: Epoch
    ) -> AdEvent:
        """Announce ``describe`` where it was placed, at live edge ``edge``."""
        self._seq += 1
        event = AdEvent(
            id=f"ad-{self._seq}",
            seq=self._seq,
            cue=Cue(placed.when, describe.forms[placed.form], self._language),
            kind=describe.kind,
            forms=describe.forms,
            rate=round(placed.rate, 3),
            provisional=placed.provisional,
            window_end=cursor,
            lag_cursor=cursor - placed.when.start,
            lag_emit=edge - placed.when.start,
            late=placed.when.start < edge - self._delay,
            draft=self._draft,
            describer=self._describer,
            epoch=epoch,
        )
        self._events.append(event)
        return event

    def yield_to(self, speech: Iterable[Interval], playhead: Ms) -> list[AdEvent]:
        """Take back what has not been heard to its end and turns out to lie over speech."""
        taken_back: list[AdEvent] = []
        for span in speech:
            taken_back += [e for e in self._events if _collides(e, span, playhead)]
            self._events = [e for e in self._events if not _collides(e, span, playhead)]
        return taken_back

    def forget(self, before: Ms) -> None:
        """Let go of AD that ended before this time."""
        if self._events and self._events[0].cue.when.end < before:
            self._events = [e for e in self._events if e.cue.when.end >= before]


def _collides(event: AdEvent, speech: Interval, playhead: Ms) -> bool:
    shared = event.cue.when.intersect(speech)
    return shared is not None and shared.duration >= TOUCH and event.cue.when.end > playhead
