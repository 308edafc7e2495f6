"""The media watch: whether media that can be decoded still comes from a publisher that is there."""

from __future__ import annotations

from strad.errors import NoMediaError
from strad.timeline import Ms

MEDIA_WAIT = 300.0
"""Wall seconds for which a player that isn't paused may send nothing that can be decoded."""


class MediaWatch:
    """Looked at now and then; a pause, or a lost connection, is no standstill."""

    def __init__(self, now: float) -> None:
        self._edge: Ms = -1
        self._moved = now

    def look(self, edge: Ms, now: float, *, excused: bool) -> None:
        """Raises NoMediaError after a standstill of five minutes."""
        if excused or edge != self._edge:
            self._edge, self._moved = edge, now
        if now - self._moved > MEDIA_WAIT:
            raise NoMediaError(f"no decodable media came for {MEDIA_WAIT:g} s")
