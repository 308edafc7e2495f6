"""What an answer means: a description that may be spoken, or a wait that says why not. Pure."""

from __future__ import annotations

from strad.decision import Decision, Describe, Wait, WaitReason
from strad.timeline import Interval, Ms
from streaming.prompt.line import WAIT, AdLine, LineForm, first_line
from streaming.prompt.soundness import refuses, stammers, unfit
from streaming.said import says_the_same
from streaming.window import Window

MOST_AHEAD: Ms = 8_000
"""A description may end this far after the cursor, where it is still going on."""


def meaning(
    answer: str, window: Window, *, form: LineForm, origin: Ms, odds: float | None
) -> Decision:
    """The decision in ``answer``, whose times count from ``origin``. Never raises."""
    line = form.read(answer)
    if line == WAIT:
        return Wait(WaitReason.MODEL_WAITS, odds)
    if not isinstance(line, AdLine):
        return Wait(_no_line(answer, window.language), odds)
    when = (origin + line.start, origin + line.end)
    reason = (
        unfit(line.text, window.language)
        or _misplaced(*when, window, origin)
        or _repeated(line.text, window)
    )
    return Wait(reason, odds) if reason else Describe((line.text,), Interval(*when), odds)


def _no_line(answer: str, language: str) -> WaitReason:
    said = first_line(answer)
    if not said:
        return WaitReason.EMPTY
    return WaitReason.REFUSED if refuses(said, language) else WaitReason.UNPARSABLE


def _misplaced(start: Ms, end: Ms, window: Window, origin: Ms) -> WaitReason | None:
    if end <= start:
        return WaitReason.BACKWARDS
    inside = origin <= start <= window.when.end and end <= window.when.end + MOST_AHEAD
    return None if inside else WaitReason.OUTSIDE_WINDOW


def _repeated(text: str, window: Window) -> WaitReason | None:
    told = (says_the_same(text, cue.text) for cue in window.history)
    return WaitReason.REPEATED if stammers(text) or any(told) else None
