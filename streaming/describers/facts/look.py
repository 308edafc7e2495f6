"""A look: what the detectors made of one sampled frame. Values only. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from strad.timeline import Ms
from streaming.describers.facts.box import Box


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing in one frame, as one or more detectors saw it."""

    label: str
    score: float
    """0 to 1; where detectors agree, higher than each alone."""
    box: Box
    by: frozenset[str]
    """Names of the detectors that saw it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text as it was read."""

    text: str
    score: float
    box: Box


@dataclass(frozen=True, slots=True)
class Look:
    """All that was seen at ``t``."""

    t: Ms
    detections: tuple[Detection, ...] = ()
    lines: tuple[Line, ...] = ()
    cut: bool = False
    """Whether another shot has begun since the look before."""
