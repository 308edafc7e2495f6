"""Falling behind: what a publisher and its viewers are told when a stream can't keep up. Pure."""

from __future__ import annotations

from strad.wire.answering import Progress, Warning

LOOK_EVERY = 10.0
"""Wall seconds over which it is judged."""

TELL_EVERY = 30.0
"""Wall seconds between two warnings of a kind."""

FAR = 15.0
"""Seconds of media behind from which it is said."""


class FallingBehind:
    """Looks at the progress; says so, not often, when windows are skipped or the cursor is late."""

    def __init__(self, now: float) -> None:
        self._looked = now
        self._skipped = 0
        """Windows skipped until the last look."""
        self._untold = 0
        self._told = {"skipped": -TELL_EVERY, "behind": -TELL_EVERY}

    def look(self, progress: Progress, now: float) -> list[Warning]:
        """What is to be said at ``now``, in wall seconds."""
        if now - self._looked < LOOK_EVERY:
            return []
        self._looked = now
        self._untold += progress.skipped - self._skipped
        self._skipped = progress.skipped
        warnings: list[Warning] = []
        if self._untold and self._may_tell("skipped", now):
            what = "newer media had come: the describer is too slow for all of them"
            message = f"{self._untold} windows were skipped since {what}"
            warnings.append(_warning("skipped", progress, message, self._untold))
            self._untold = 0
        if progress.behind >= FAR and self._may_tell("behind", now):
            message = f"descriptions are {progress.behind:.0f} s behind the newest media"
            warnings.append(_warning("behind", progress, message, round(progress.behind)))
        return warnings

    def _may_tell(self, code: str, now: float) -> bool:
        if now - self._told[code] < TELL_EVERY:
            return False
        self._told[code] = now
        return True


def _warning(code: str, progress: Progress, message: str, count: int) -> Warning:
    return Warning(code=code, at=progress.live_edge, message=message, count=count)
