"""From the clocks inside the media to one stream time that starts at 0 and only rises. Pure.

Each track has its own offset. A track whose time falls back, or leaps far ahead of everything
else, has changed clocks (a wrap, a joined recording, a republished stream): it goes on where the
stream stands. The tracks of one programme jump together but not at once, so a track that jumps
first tries the offset the last jump made: sound and picture stay in step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from strad.timeline import Ms

Us: TypeAlias = int
"""Microseconds: fine enough that rounding never adds up to a millisecond."""

BACKWARD: Us = 500_000
"""A track may fall back this far and still be only badly muxed."""
NEVER: Us = -(1 << 62)
LASTING: Us = 1_000_000
"""A packet brings the newest time no further than this past its own."""
TOGETHER: Us = 5_000_000
"""A track that jumps after another may land this far behind it."""


@dataclass(slots=True)
class _Track:
    offset: Us
    last: Us
    end: Us


@dataclass(slots=True)
class StreamClock:
    """Places each packet on stream time."""

    jump: Us
    """A step forward of more than this is a clock that jumped."""
    span: Us = 0
    """How long the media says it is, where that can be trusted: steps within it are no jumps."""
    origin: Us | None = None
    edge: Us = 0
    """The newest stream time of any track."""
    jumps: int = 0
    _offset: Us = 0
    _tracks: dict[int, _Track] = field(default_factory=dict)

    def start(self, at: Us) -> None:
        """Stream time 0 is the media's own ``at``."""
        self.origin = self._offset = at

    @property
    def rest(self) -> Us:
        """Up to when, on stream time, the media says that it lasts."""
        return self.span - max(0, self.origin or 0)

    def guess(self, track: int) -> Us:
        """The media's own time that should come next on ``track``."""
        known = self._tracks.get(track)
        return known.end + known.offset if known else self.edge + self._offset

    def succeed(self, old: int, new: int) -> None:
        """Track ``new`` goes on where ``old`` has ended."""
        if old in self._tracks:
            self._tracks[new] = self._tracks.pop(old)

    def place(self, track: int, raw: Us, duration: Us, *, ordered: bool = True) -> Us:
        """What to take from ``track``'s own times to get stream time, from this packet on.

        ``ordered``: ``raw`` rises from packet to packet (a DTS); a PTS alone may fall back.
        """
        if self.origin is None:
            self.start(raw)
        known = self._tracks.get(track)
        offset = known.offset if known else self._offset
        ordered = ordered or not self.span
        if self._jumped(known if ordered else None, raw - offset):
            offset = self._rejoin(known, raw)
        end = raw - offset + max(0, duration)
        last = raw - offset if ordered else known.last if known else NEVER
        self._tracks[track] = _Track(offset, last, end)
        self.edge = max(self.edge, raw - offset + min(max(0, duration), LASTING))
        return offset

    def plausible(self, t: Us) -> bool:
        """Whether this stream time isn't too far ahead of everything so far."""
        return t <= max(self.edge + self.jump, self.span)

    def _jumped(self, known: _Track | None, t: Us) -> bool:
        if not self.plausible(t):
            return True
        if known is None:
            # Decoding a file's first picture may begin any time before it is shown.
            return not self.span and t < self.edge - self.jump
        return t < known.last - BACKWARD

    def _rejoin(self, known: _Track | None, raw: Us) -> Us:
        t = raw - self._offset
        if t < self.edge - TOGETHER or self._jumped(known, t):
            self._offset = raw - self.edge
            self.jumps += 1
        return self._offset


def to_ms(us: Us) -> Ms:
    """To the nearest millisecond."""
    return (us + 500) // 1000


def to_us(ticks: int, base: Fraction) -> Us:
    """A time in units of ``base`` seconds, in microseconds."""
    return ticks * base.numerator * 1_000_000 // base.denominator


def to_ticks(us: Us, base: Fraction) -> int:
    """Microseconds in units of ``base`` seconds, to the nearest."""
    unit = base.numerator * 1_000_000
    return (2 * us * base.denominator + unit) // (2 * unit)
