"""The window: everything a describer may look at when it decides. Shared with training. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.media import AudioChunk, VideoFrame


@dataclass(frozen=True, slots=True)
class KnownFact:
    """Something read or heard that names what is on screen, and when it was learned."""

    text: str
    source: str
    """on-screen-text | name"""
    learned: Ms


@dataclass(frozen=True, slots=True)
class Window:
    """What is known at the cursor ``when.end``. Nothing in it is later than that."""

    when: Interval
    frames: tuple[VideoFrame, ...]
    audio: tuple[AudioChunk, ...]
    words: tuple[Word, ...]
    """Words of the context span (120 s), by start."""
    words_final_to: Ms
    """Up to here no more words will come."""
    history: tuple[Cue, ...]
    """Earlier AD of the context span, also what is decided but not placed yet."""
    gap: Interval | None
    """The newest free span that touches the step just made."""
    new_from: Ms
    """Where the step just made began: what lies before was in an earlier window."""
    protected: tuple[Interval, ...] = ()
    facts: tuple[KnownFact, ...] = ()
    language: str = "en"
    speech: tuple[Interval, ...] = field(default=())
    """Known speech inside ``when``."""
