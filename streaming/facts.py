"""What a Session is told: facts. Values only. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from strad.decision import Decision
from strad.timeline import Ms
from streaming.hearing import Heard
from streaming.media import Media


@dataclass(frozen=True, slots=True)
class Answered:
    """The describer answered question ``question``."""

    question: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Measured:
    """The voice says how long each form of question ``question``'s answer takes."""

    question: int
    lengths: tuple[Ms, ...]


@dataclass(frozen=True, slots=True)
class MediaEnded:
    """No more media will come, and all that was heard in it has been told."""


Fact: TypeAlias = Media | Heard | Answered | Measured | MediaEnded
