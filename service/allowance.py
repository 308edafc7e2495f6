"""An allowance: so many at once, and then so many a second. Pure."""

from __future__ import annotations


class Allowance:
    """Fills at ``rate`` a second, up to ``most``; full at first."""

    def __init__(self, most: float, rate: float) -> None:
        self._most = most
        self._rate = rate
        self._left = most
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Whether one more is allowed at ``now``, in seconds; it is counted then."""
        passed = 0.0 if self._at is None else max(0.0, now - self._at)
        self._at = now
        self._left = min(self._most, self._left + passed * self._rate)
        if self._left < 1:
            return False
        self._left -= 1
        return True
