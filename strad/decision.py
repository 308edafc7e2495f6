"""What a describer decides about one window: wait, or describe."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from strad.timeline import Interval

MAX_FORMS = 3
"""An answer may offer the same description in up to three lengths."""


class WaitReason(StrEnum):
    """Why nothing is said about a window. The values are what the efficiency log carries."""

    NOTHING_NEW = "nothing-new"
    UNSURE = "unsure"
    MODEL_WAITS = "model-waits"
    NO_FRAMES = "no-frames"
    UNPARSABLE = "unparsable"
    REFUSED = "refused"
    OUTSIDE_WINDOW = "outside-window"
    EMPTY = "empty"
    BACKWARDS = "backwards"
    """The answer ends before it starts."""
    REPEATED = "repeated"
    """It says again what was said."""
    MARKUP = "markup"
    META_TALK = "meta-talk"
    """It speaks of the video, or of itself, in place of what is seen."""
    DESCRIBER_FAILED = "describer-failed"
    TIMED_OUT = "timed-out"


FAILURES = frozenset(
    {
        WaitReason.UNPARSABLE,
        WaitReason.REFUSED,
        WaitReason.OUTSIDE_WINDOW,
        WaitReason.EMPTY,
        WaitReason.BACKWARDS,
        WaitReason.MARKUP,
        WaitReason.META_TALK,
        WaitReason.DESCRIBER_FAILED,
        WaitReason.TIMED_OUT,
    }
)
"""The reasons that mean an answer was wanted and could not be had."""


class Kind(StrEnum):
    """What sort of thing is described, so that a listener can ask for less or more."""

    ACTION = "action"
    SCENE = "scene"
    TEXT = "text"
    NAME = "name"


Stages: TypeAlias = tuple[tuple[str, float], ...]
"""What an answer cost: wall seconds by stage, in order."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Say nothing about this window."""

    reason: WaitReason
    odds: float | None = None
    """Log-odds of AD against WAIT, where the describer knows them."""
    stages: Stages = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Describe:
    """Say one of ``forms`` (the same thing, short to long) about what happens during ``when``."""

    forms: tuple[str, ...]
    when: Interval
    odds: float | None = None
    """Log-odds of AD against WAIT, where the describer knows them."""
    kind: Kind = Kind.ACTION
    stages: Stages = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.forms) <= MAX_FORMS or not all(form.strip() for form in self.forms):
            raise ValueError(f"a description has one to {MAX_FORMS} non-empty forms")


Decision: TypeAlias = Wait | Describe
