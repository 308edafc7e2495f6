"""Material: one media file with what is said and described in it, to make examples of. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval
from streaming.tasks.segments.segment import Segment

_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Material:
    """One of them. A film may be in several files, as CMD-AD's clips are."""

    id: str
    """Of the file, in its source."""
    film: str
    """By which it is in a split."""
    films: tuple[str, ...]
    """All ids of the film, by which a bank of characters or the paper's split may know it."""
    media: Path
    events: tuple[Cue, ...]
    """The descriptions, by their start."""
    words: tuple[Word, ...]
    """What is said, by its start."""
    segments: tuple[Segment, ...]
    language: str = "en"
    streams: bool = True
    """Whether windows can be made of it: it is known when somebody speaks."""
    cut: bool = False
    """Whether it is a clip of one description, too short for windows."""
    unsure: tuple[Interval, ...] = ()
    """When descriptions lie that were passed over: nobody knows what is right there."""

    @property
    def slug(self) -> str:
        """Names it in keys and files: letters, digits and hyphens, and no other's."""
        plain = _NOT_IN_KEYS.sub("-", self.id).strip("-")[:40]
        return f"{plain}-{hashlib.sha256(self.id.encode()).hexdigest()[:8]}".lstrip("-")
