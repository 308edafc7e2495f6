"""Counting what can't be decoded: going on, saying so, and giving up when nothing else comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from strad.errors import MediaError


class Faults:
    """Corrupt packets of one media, by track. Pure."""

    def __init__(self, most_in_a_row: int, tell: Callable[[int], None]) -> None:
        self._most = most_in_a_row
        self._tell = tell
        self._in_a_row: Counter[str] = Counter()
        self._good: set[str] = set()
        self._next_told = 1
        self._told = 0
        self.total = 0

    def good(self, track: str) -> None:
        """Something on ``track`` was decoded."""
        self._in_a_row[track] = 0
        self._good.add(track)

    def bad(self, track: str) -> None:
        """A packet of ``track`` was not decoded. Raises MediaError when too many follow.

        Before a track's first good packet it isn't counted: live media begins anywhere.
        """
        self._in_a_row[track] += 1
        if self._in_a_row[track] >= self._most:
            raise MediaError(f"nothing in {self._most} {track} packets in a row can be decoded")
        if track in self._good:
            self.total += 1
            if self.total >= self._next_told:
                self._next_told *= 10
                self.tell()

    def tell(self) -> None:
        """Say the count, unless it was said already."""
        if self.total > self._told:
            self._told = self.total
            self._tell(self.total)
