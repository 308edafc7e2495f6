"""The scripted describer: says what a file says, when it says so. For tests, demos and dry runs.

The script is a predictions JSONL: each line is spoken once its end lies behind the cursor.
"""

from __future__ import annotations

from collections.abc import Iterable

from strad.cues import Cue
from strad.decision import Decision, Describe, Wait, WaitReason
from streaming.window import Window


class ScriptedDescriber:
    """Describes each line of its script in the first window that holds all of it."""

    name = "scripted"
    draft = False

    def __init__(self, script: Iterable[Cue]) -> None:
        self._left = sorted(script, key=lambda cue: cue.when)

    async def decide(self, window: Window) -> Decision:
        due = [cue for cue in self._left if cue.when.end <= window.when.end]
        self._left = [cue for cue in self._left if cue.when.end > window.when.end]
        # A line that ended before the window began can no longer be seen in it.
        due = [cue for cue in due if cue.when.end > window.when.start]
        if not due:
            return Wait(WaitReason.NOTHING_NEW)
        self._left = [*due[1:], *self._left]
        return Describe((due[0].text,), due[0].when)

    async def aclose(self) -> None:
        pass
