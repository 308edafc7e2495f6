"""Load: decide seconds over stride; above 1 the describer is too slow to keep up. Pure."""

from __future__ import annotations

from collections import deque

from strad.timeline import Ms, to_seconds

RECENT = 30
"""Windows that count."""


class Load:
    """Follows how long answers take against the step between questions."""

    def __init__(self, stride: Ms) -> None:
        self._stride = to_seconds(stride)
        self._walls: deque[float] = deque(maxlen=RECENT)

    def add(self, wall: float) -> None:
        """One answer took ``wall`` seconds."""
        self._walls.append(wall)

    def recent(self) -> float | None:
        """The mean of the latest windows; None before the first."""
        if not self._walls:
            return None
        return sum(self._walls) / len(self._walls) / self._stride
