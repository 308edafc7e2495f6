"""The cursor: where the newest window ends, and when the next one is due. Pure.

StrAD, section 4.3: the cursor moves by the stride; a predicted end past it moves it on.
"""

from __future__ import annotations

from strad.decision import Decision, Describe
from strad.timeline import Interval, Ms
from streaming.config import Pace, StreamConfig


class Cursor:
    """Steps by the stride in replay; live, to the newest media."""

    def __init__(self, config: StreamConfig, at: Ms = 0, skipped: int = 0) -> None:
        self._config = config
        self.at = at
        self.skipped = skipped
        """Windows never asked, since newer media had come."""

    def step(self, now: Ms, *, over: bool) -> Interval | None:
        """Move to the next window, if one is due; at the end, over the rest of the media."""
        behind = now - self.at
        if behind >= self._config.stride:
            return self._move(now)
        if over and behind >= self._config.min_gap:
            return self._to(now)
        return None

    def pass_over(self, end: Ms) -> None:
        """Media up to ``end`` never came: there is nothing in it to ask about."""
        self.at = max(self.at, end)

    def jump(self, window_end: Ms, decision: Decision) -> Ms:
        """Where the window that ended at ``window_end`` leaves the cursor; it goes there.

        A predicted end further off than a window's length is absurd and counts for no more.
        """
        end = window_end
        if isinstance(decision, Describe):
            furthest = self._within_chunk(window_end - 1, end + self._config.window)
            end = min(max(end, decision.when.end), furthest)
        self.at = max(self.at, end)
        return end

    def _within_chunk(self, start: Ms, end: Ms) -> Ms:
        """A step never crosses into the next chunk: the first ends where the second begins."""
        if self._config.chunk is None:
            return end
        return min(end, self._config.chunk_start(start) + self._config.chunk)

    def _move(self, now: Ms) -> Interval:
        if self._config.pace is Pace.EVERY_WINDOW:
            return self._to(self._within_chunk(self.at, self.at + self._config.stride))
        self.skipped += (now - self.at) // self._config.stride - 1
        return self._to(now)

    def _to(self, end: Ms) -> Interval:
        step = Interval(self.at, end)
        self.at = end
        return step
