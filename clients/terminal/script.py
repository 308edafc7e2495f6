"""The script: what is still to be spoken, and whether now is its time. Pure.

Nothing is spoken before its start, nor when it could not end before somebody speaks again. What has
lost its time is dropped and counted.
"""

from __future__ import annotations

from bisect import insort
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from clients.terminal.manner import Manner
from strad.wire.viewing import Ad, Gap

MOST = 500
"""AD that wait for their time."""

HURRY = 1.4
"""How much faster than chosen an AD may be spoken, to fit."""

GUARD = 0.2
"""Seconds left free before speech."""


@dataclass(frozen=True, slots=True)
class Say:
    """Speak now."""

    ad: Ad
    text: str
    manner: Manner
    until: float
    """Media seconds at which it must have ended."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to say yet. ``seconds``: until there is, of media; None: unknown."""

    seconds: float | None


Cue: TypeAlias = Say | Wait


class Script:
    """Of one stream. All times are seconds of media."""

    def __init__(self) -> None:
        self._waiting: list[Ad] = []
        self._gaps: deque[Gap] = deque(maxlen=100)
        self.missed_from = 0
        """AD up to this ``seq`` were told before the listener came: they are not missed."""
        self.dropped = 0
        """How many lost their time, since somebody last asked."""

    def add(self, ad: Ad) -> None:
        """Have it spoken in its time."""
        insort(self._waiting, ad, key=lambda other: (other.start, other.seq))
        if len(self._waiting) > MOST:
            self._drop(self._waiting.pop(0))

    def add_gap(self, gap: Gap) -> None:
        """Nobody speaks then; the newest word on a gap holds."""
        known = [other for other in self._gaps if other.start != gap.start]
        self._gaps = deque([*known, gap], maxlen=self._gaps.maxlen)

    def withdraw(self, ad: str) -> None:
        """Don't speak it."""
        self._waiting = [other for other in self._waiting if other.id != ad]

    def cue(self, at: float, edge: float, manner: Manner) -> Cue:
        """What to do when viewers are at ``at`` and the media is known up to ``edge``."""
        while self._waiting:
            ad = self._waiting[0]
            if at < ad.start:
                return Wait(ad.start - at)
            self._waiting.pop(0)
            until = self.room(ad, edge)
            for text, how in _ways(ad, manner):
                if at + how.seconds(text) <= until:
                    return Say(ad, text, how, until)
            self._drop(ad)
        return Wait(None)

    def room(self, ad: Ad, edge: float) -> float:
        """Until when nobody speaks: the AD's own end, or later, as far as its gap is known."""
        for gap in self._gaps:
            end = edge if gap.end is None else gap.end
            if gap.start <= ad.start < end:
                return max(ad.end, end - GUARD)
        return ad.end

    @property
    def empty(self) -> bool:
        """Whether nothing waits for its time."""
        return not self._waiting

    def clear(self) -> None:
        """Speak nothing more of what is known."""
        self._waiting.clear()

    def take_dropped(self) -> int:
        """How many were dropped since this was last asked."""
        dropped, self.dropped = self.dropped, 0
        return dropped

    def _drop(self, ad: Ad) -> None:
        self.dropped += ad.seq > self.missed_from


def _ways(ad: Ad, manner: Manner) -> Iterator[tuple[str, Manner]]:
    """How it may be said: as it was placed, shorter, and hurried at last."""
    placed = manner if ad.rate <= 1 else manner.hurried(min(ad.rate, HURRY))
    shorter = sorted((f for f in ad.forms if len(f) < len(ad.text)), key=len, reverse=True)
    texts = [ad.text, *shorter]
    yield from ((text, placed) for text in texts)
    yield from ((text, manner.hurried(HURRY)) for text in texts)
