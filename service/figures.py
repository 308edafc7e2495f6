"""A stream's figures, kept in bounded memory: load, rtf and lags. Named as on the design page."""

from __future__ import annotations

from collections import deque

from service.report import spread
from strad.cues import AdEvent
from strad.decision import Describe
from strad.timeline import Ms, to_seconds
from strad.wire.answering import Spread
from streaming.announcement import Announcement, WindowAsked

KEPT = 3_600
"""Values of each kind; with a stride of 2 s, the last two hours."""


class Figures:
    """Fed every announcement of one stream."""

    def __init__(self, stride: Ms) -> None:
        self._stride = stride
        self._loads: deque[float] = deque(maxlen=KEPT)
        self._lag_cursor: deque[float] = deque(maxlen=KEPT)
        self._lag_emit: deque[float] = deque(maxlen=KEPT)
        self._rtf_sum = 0.0
        self._rtf_count = 0

    def take(self, announcement: Announcement) -> None:
        """Count one."""
        match announcement:
            case WindowAsked(wall=wall, advance=advance, decision=decision):
                self._loads.append(wall * 1000 / self._stride)
                if isinstance(decision, Describe) and advance:
                    self._rtf_sum += wall * 1000 / advance
                    self._rtf_count += 1
            case AdEvent():
                self._lag_cursor.append(to_seconds(announcement.lag_cursor))
                self._lag_emit.append(to_seconds(announcement.lag_emit))
            case _:
                pass

    @property
    def load(self) -> Spread | None:
        """Decide seconds over stride."""
        return _spread(self._loads)

    @property
    def rtf(self) -> float | None:
        """Wall time over the cursor's advance, mean over AD windows."""
        return round(self._rtf_sum / self._rtf_count, 4) if self._rtf_count else None

    @property
    def lag_cursor(self) -> Spread | None:
        """Cursor minus the AD's start (s)."""
        return _spread(self._lag_cursor)

    @property
    def lag_emit(self) -> Spread | None:
        """Live edge at the announcement minus the AD's start (s)."""
        return _spread(self._lag_emit)


def _spread(values: deque[float]) -> Spread | None:
    found = spread(list(values))
    return Spread(**found) if found else None
