"""The screen: the picture shown last, and the grid times it has been shown at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from strad.timeline import Ms

Shown = TypeVar("Shown")
"""A picture, decoded or not."""

EARLY: Ms = 100
"""A first picture this little after a grid time counts as shown at it."""


class Screen(Generic[Shown]):
    """Calls ``show(frame, t)`` for each grid time, in order, with the frame on it then.

    The media ``begins`` at that stream time: no grid time before it is shown.
    """

    def __init__(self, fps: float, show: Callable[[Shown, Ms], None], begins: Ms = 0) -> None:
        self.fps = fps
        self._show = show
        self._held: Shown | None = None
        self.held_t: Ms = 0
        """Since when the picture is on it."""
        self.next = _index_from(begins, fps)
        """Grid index that is shown next."""

    @property
    def dark(self) -> bool:
        """Whether no picture has been on it yet."""
        return self._held is None

    @property
    def shown(self) -> Ms:
        """Up to where all grid times have been shown."""
        return grid_time(self.next, self.fps)

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


def grid_time(index: int, fps: float) -> Ms:
    """The absolute grid: the ``index``-th time, in ms."""
    return round(index * 1000 / fps)


def to_grid(t: Ms, fps: float) -> Ms:
    """How long after ``t`` the next grid time comes; 0 at one."""
    return grid_time(_index_from(t, fps), fps) - t


def _index_from(t: Ms, fps: float) -> int:
    """Of the first grid time that isn't before ``t``."""
    index = int(t * fps / 1000)
    while grid_time(index, fps) < t:
        index += 1
    return index
