"""AD events announced: on record, and taken back when speech turns up under them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from strad.cues import AdEvent, Cue
from strad.decision import Describe
from strad.timeline import Epoch, Interval, Ms, covered, subtract
from streaming.announcement import Withdrawn, WithdrawReason
from streaming.placement import Placed

Taken: TypeAlias = Callable[[Interval], list[Interval]]
"""Says where inside a span nothing may be said."""

TOUCH: Ms = 150
"""Speech that shares less than this with an AD does not take it back."""


class Announced:
    """The AD of one stream, as far back as it matters."""

    def __init__(
        self,
        *,
        describer: str,
        draft: bool,
        language: str,
        delay: Ms,
        number: int = 0,
        events: tuple[AdEvent, ...] = (),
    ) -> None:
        self._describer = describer
        self._draft = draft
        self._language = language
        self._delay = delay
        self._events = list(events)
        self.number = number
        """Of the newest event; 0 before the first."""

    @property
    def events(self) -> tuple[AdEvent, ...]:
        """Those that still stand, as far back as it matters."""
        return tuple(self._events)

    def times(self) -> list[Interval]:
        """The spans taken by AD that still stands."""
        return [event.cue.when for event in self._events]

    def post(
        self, describe: Describe, placed: Placed, *, cursor: Ms, edge: Ms, epoch: Epoch
    ) -> AdEvent:
        """Announce ``describe`` where it was placed, at live edge ``edge``."""
        self.number += 1
        event = AdEvent(
            id=f"ad-{self.number}",
            seq=self.number,
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

    def take_back(
        self, taken: Taken, missed: Sequence[Interval], now: Ms, playhead: Ms
    ) -> list[tuple[AdEvent, Withdrawn]]:
        """Withdraw what has not been heard to its end and turns out to lie on what is ``taken``.

        ``missed``: what of the media nobody heard.
        """
        withdrawn: list[tuple[AdEvent, Withdrawn]] = []
        for event in [e for e in self._events if e.cue.when.end > playhead]:
            under = _under(event, taken, now)
            if covered(under) >= TOUCH:
                self._events.remove(event)
                taken_back = Withdrawn(event.id, under[0].start, _why(under, missed))
                withdrawn.append((event, taken_back))
        return withdrawn

    def forget(self, before: Ms) -> None:
        """Let go of AD that ended before this time."""
        if self._events and self._events[0].cue.when.end < before:
            self._events = [e for e in self._events if e.cue.when.end >= before]


def _under(event: AdEvent, taken: Taken, now: Ms) -> list[Interval]:
    """Where nothing may be said under the event, as far as it is known."""
    when = event.cue.when
    return [] if when.start >= now else taken(Interval(when.start, min(when.end, now)))


def _why(under: list[Interval], missed: Sequence[Interval]) -> WithdrawReason:
    """Speech, where enough of what lies under an event was heard."""
    heard = sum(covered(subtract(span, missed)) for span in under)
    return WithdrawReason.SPEECH if heard >= TOUCH else WithdrawReason.UNHEARD
