"""Cues: timed text, all that a player or the judge needs; and AD events, cues decided live."""

from __future__ import annotations

from dataclasses import dataclass, field

from strad.decision import Kind
from strad.timeline import Epoch, Interval, Ms


@dataclass(frozen=True, slots=True)
class Cue:
    """Text to be spoken or shown during ``when``."""

    when: Interval
    text: str
    language: str = "en"
    """A BCP 47 tag."""


@dataclass(frozen=True, slots=True)
class AdEvent:
    """One audio description as it was decided live, placed on the stream's timeline."""

    id: str
    seq: int
    """Rises by one with every event of the stream, from 1."""
    cue: Cue
    kind: Kind
    forms: tuple[str, ...]
    """All the lengths the describer offered, short to long; ``cue.text`` is one of them."""
    rate: float
    """How much faster than the voice's own rate it must be spoken to fit."""
    provisional: bool
    """Whether the gap was still open when it was announced: it may yet be withdrawn."""
    window_end: Ms
    lag_cursor: Ms
    """Cursor minus the cue's start (the paper's LAG)."""
    lag_emit: Ms
    """Newest media time at the announcement minus the cue's start: what ``delay`` must cover."""
    late: bool
    """Whether the viewers' playhead had already passed the cue's start."""
    draft: bool
    """Whether the describer's output is draft quality and must be labelled so."""
    describer: str
    epoch: Epoch = field(default=Epoch(0, 0))
