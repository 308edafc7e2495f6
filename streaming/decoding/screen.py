"""The screen: the picture shown last, and the grid times it has been shown at."""

from __future__ import annotations

from collections.abc import Callable

import av

from strad.timeline import Ms

EARLY: Ms = 100
"""A first picture this little after a grid time counts as shown at it."""


class Screen:
    """Calls ``show(frame, t)`` for each grid time, in order, with the frame on it then."""

    def __init__(self, fps: float, show: Callable[[av.VideoFrame, Ms], None]) -> None:
        self._fps = fps
        self._show = show
        self._held: av.VideoFrame | None = None
        self.held_t: Ms = 0
        """Since when the picture is on it."""
        self.next = 0
        """Grid index that is shown next."""

    @property
    def dark(self) -> bool:
        """Whether no picture has been on it yet."""
        return self._held is None

    @property
    def shown(self) -> Ms:
        """Up to where all grid times have been shown."""
        return grid_time(self.next, self._fps)

    def change(self, frame: av.VideoFrame, t: Ms) -> None:
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
    index = int(t * fps / 1000)
    while grid_time(index, fps) < t:
        index += 1
    return grid_time(index, fps) - t
