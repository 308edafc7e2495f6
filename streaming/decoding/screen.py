"""The screen: the picture shown last, and the grid times it has been shown at.

The grid is even, or a list of the only times that are wanted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from strad.timeline import Ms

Shown = TypeVar("Shown")
"""A picture, decoded or not."""

EARLY: Ms = 100
"""A first picture this little after a grid time counts as shown at it."""

NEVER: Ms = 1 << 62
"""Behind the end of all media."""


class Grid(Protocol):
    """The absolute times at which the picture is looked at, rising."""

    def time(self, index: int) -> Ms:
        """The ``index``-th, from 0."""
        ...

    def index_from(self, t: Ms) -> int:
        """Of the first that isn't before ``t``."""
        ...


@dataclass(frozen=True, slots=True)
class EvenGrid:
    """So many times a second, from 0 on."""

    fps: float

    def time(self, index: int) -> Ms:
        """See ``Grid``."""
        return round(index * 1000 / self.fps)

    def index_from(self, t: Ms) -> int:
        """See ``Grid``."""
        index = int(t * self.fps / 1000)
        while self.time(index) < t:
            index += 1
        return index


@dataclass(frozen=True, slots=True)
class ListedGrid:
    """These times, rising; no other ever."""

    times: tuple[Ms, ...]

    def time(self, index: int) -> Ms:
        """See ``Grid``."""
        return self.times[index] if index < len(self.times) else NEVER

    def index_from(self, t: Ms) -> int:
        """See ``Grid``."""
        return bisect_left(self.times, t)


class Screen(Generic[Shown]):
    """Calls ``show(frame, t)`` for each grid time, in order, with the frame on it then.

    The media ``begins`` at that stream time: no grid time before it is shown.
    """

    def __init__(self, grid: Grid, show: Callable[[Shown, Ms], None], begins: Ms = 0) -> None:
        self.grid = grid
        self._show = show
        self._held: Shown | None = None
        self.held_t: Ms = 0
        """Since when the picture is on it."""
        self.next = grid.index_from(begins)
        """Grid index that is shown next."""

    @property
    def dark(self) -> bool:
        """Whether no picture has been on it yet."""
        return self._held is None

    @property
    def shown(self) -> Ms:
        """Up to where all grid times have been shown."""
        return self.grid.time(self.next)

    def change(self, frame: Shown, t: Ms) -> None:
        """From ``t`` on another picture is shown; one that comes out of order is not."""
        if self._held is not None and t < self.held_t:
            return
        if self._held is None and 0 <= t - self.shown <= EARLY:
            t = self.shown
        self.show_until(t)
        self._held, self.held_t = frame, t

    def show_until(self, t: Ms) -> None:
        """Show all grid times before ``t``."""
        while (at := self.shown) < t:
            if self._held is not None:
                self._show(self._held, at)
            self.next += 1
