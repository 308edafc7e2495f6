"""An example: what a model is shown, and what it is to answer. Values. Pure.

What is shown is a ``streaming.window.Window``, as a describer is shown one while a stream plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from strad.decision import Decision, Describe, Wait
from strad.timeline import Interval
from streaming.media import VideoFrame
from streaming.window import Window


class Kind(StrEnum):
    """What an example teaches."""

    SEGMENT = "segment"
    """To describe a moment whose times are given."""
    AD = "ad"
    """To describe, in a window of a stream."""
    WAIT = "wait"
    """To say nothing about a window of a stream."""


class Why(StrEnum):
    """On what ground an example is what it is. The values are in data sets."""

    SEGMENT = "segment"
    UNSEEN_AD = "unseen-ad"
    """An AD event that no earlier window described lies in the window."""
    DIALOGUE = "dialogue"
    """Somebody speaks, and there is no AD event in the window."""
    NO_AD = "no-ad"
    """Nobody speaks, and there is no AD event that is new."""
    MOSTLY_OUTSIDE = "mostly-outside"
    """The window has a part of an AD event, which lies mostly outside it."""


@dataclass(frozen=True, slots=True)
class Example:
    """One of them. Its times are the film's."""

    key: str
    """Names it in its data set; letters, digits and hyphens."""
    film: str
    """By which it is in one split: an IMDb id where it is known."""
    kind: Kind
    window: Window
    answer: Decision
    why: str
    moment: Interval | None = None
    """Of a segment: what is to be described."""
    names: tuple[str, ...] = ()
    """Of a segment: who is marked in its pictures, as ``Anna (red box)``."""
    plain: tuple[VideoFrame, ...] = ()
    """Of a segment with boxes in its pictures: the same pictures without; else empty."""

    def __post_init__(self) -> None:
        if (self.kind is Kind.SEGMENT) != (self.moment is not None):
            raise ValueError("a segment, and nothing else, has a moment")
        if isinstance(self.answer, Wait) != (self.kind is Kind.WAIT):
            raise ValueError("a wait, and nothing else, is answered by a wait")
        if _shows_later(self.window):
            raise ValueError("nothing that an example shows may be later than its cursor")
        if isinstance(self.answer, Describe):
            told = {cue.text for cue in self.window.history}
            if self.answer.forms[-1] in told:
                raise ValueError("what is to be described may not have been described before")


def _shows_later(window: Window) -> bool:
    """Whether anything in it was seen, heard, said or learned after its end."""
    end = window.when.end
    return (
        any(frame.t > end for frame in window.frames)
        or any(chunk.when.end > end for chunk in window.audio)
        or any(word.when.end > end for word in window.words)
        or any(cue.when.start > end for cue in window.history)
        or any(fact.learned > end for fact in window.facts)
    )
