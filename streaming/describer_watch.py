"""The describer watch: whether answers come at all, so that no outage looks like silence. Pure.

What counts is that no answer comes: an answer that is no good is the model's, and a WAIT.
"""

from __future__ import annotations

from strad.decision import Decision, Wait, WaitReason
from strad.timeline import Interval, Ms
from streaming.announcement import DescriberState
from streaming.effects import WindowClosed

DOWN_AFTER = 3
"""Windows in a row without an answer."""

DOWN_FOR: Ms = 10_000
"""Or so much media without one."""

NO_ANSWER = frozenset({WaitReason.DESCRIBER_FAILED, WaitReason.TIMED_OUT})


def unanswered(decision: Decision) -> bool:
    """Whether no answer came."""
    return isinstance(decision, Wait) and decision.reason in NO_ANSWER


class DescriberWatch:
    """Takes every window that closes; says when the describer goes down and when it is back."""

    def __init__(self, window: Ms) -> None:
        self._window = window
        self._failures = 0
        self._answered_to: Ms = 0
        """The cursor of the last window that was answered."""
        self._failing_from: Ms = 0
        self.down = False

    def take(self, closed: WindowClosed, why: str, now: Ms) -> DescriberState | None:
        """``why`` there was no answer, if there was none; ``now`` is the live edge."""
        if unanswered(closed.decision):
            return self._failed(closed, why, now)
        state = self._back(closed) if self.down else None
        self._failures = 0
        self._answered_to = closed.cursor
        return state

    def lost(self, since: Ms, why: str) -> DescriberState | None:
        """In replay: no answer came about the step from ``since`` on, which is asked again."""
        if self.down:
            return None
        self.down = True
        self._failing_from = max(self._answered_to, since)
        return DescriberState(up=False, at=since, why=why, hole=Interval(since, since))

    def _failed(self, closed: WindowClosed, why: str, now: Ms) -> DescriberState | None:
        if self._failures == 0:
            self._failing_from = max(self._answered_to, closed.cursor - closed.advance)
        self._failures += 1
        long = now - self._failing_from >= DOWN_FOR
        if self.down or not (self._failures >= DOWN_AFTER or long):
            return None
        self.down = True
        hole = Interval(self._failing_from, closed.cursor)
        return DescriberState(up=False, at=closed.cursor, why=why, hole=hole)

    def _back(self, closed: WindowClosed) -> DescriberState:
        self.down = False
        seen_from = max(self._failing_from, closed.cursor - self._window)
        hole = Interval(self._failing_from, seen_from)
        return DescriberState(up=True, at=closed.cursor, why="", hole=hole)
