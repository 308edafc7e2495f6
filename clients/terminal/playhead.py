"""The playhead: where in the stream its viewers are now, as far as what they are told says.

The live edge is never told by itself. An AD says how far it was when announced, a gap that closes
that it was there at least. Viewers are the stream's delay behind it. Pure.
"""

from __future__ import annotations

from strad.wire.viewing import Ad, Gap, Words

STALLED = 3.0
"""Seconds that the live edge is behind where it should be, after the media stood still."""


class Playhead:
    """Media seconds, by wall seconds ``now``."""

    def __init__(self, delay: float | None = None) -> None:
        """``delay``: how far behind the live edge this viewer plays; None: as the stream says."""
        self._asked = delay
        self._told = 0.0
        self._ahead: float | None = None
        """The live edge minus now."""

    def told(self, delay: float) -> None:
        """The stream's own delay."""
        self._told = delay

    def hear(self, message: Ad | Gap | Words, now: float) -> None:
        """Take note of what a message that is told as it happens says of the live edge."""
        match message:
            case Ad():
                self._see(message.start + message.lag_emit - now, exact=True)
            case Gap(end=float() as end):
                self._see(end - now, exact=True)
            case Gap():
                self._see(message.start - now, exact=False)
            case Words():
                self._see(message.until - now, exact=False)

    def edge(self, now: float) -> float | None:
        """The live edge; None while nothing is known."""
        return None if self._ahead is None else now + self._ahead

    def at(self, now: float) -> float | None:
        """Where viewers are; None while nothing is known."""
        delay = self._told if self._asked is None else self._asked
        return None if self._ahead is None else now + self._ahead - delay

    def _see(self, ahead: float, *, exact: bool) -> None:
        stood_still = exact and self._ahead is not None and ahead < self._ahead - STALLED
        if self._ahead is None or stood_still or ahead > self._ahead:
            self._ahead = ahead
