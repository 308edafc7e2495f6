"""What a Session wants done: effects. Values only. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from strad.cues import AdEvent
from strad.decision import Decision
from strad.timeline import Ms
from streaming.announcement import Dropped, Withdrawn
from streaming.window import Window


@dataclass(frozen=True, slots=True)
class AskDescriber:
    """Ask about ``window``; answer with ``Answered(question, ...)``."""

    question: int
    window: Window
    useful_for: Ms | None = None
    """After so much more media, nothing in the window can be spoken in time; None: always."""


@dataclass(frozen=True, slots=True)
class MeasureSpeech:
    """Find out how long ``forms`` take to say; answer with ``Measured(question, ...)``."""

    question: int
    forms: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """Question ``question`` has been answered, and the answer applied."""

    question: int
    cursor: Ms
    advance: Ms
    """From where the step to this window began to where the cursor goes on."""
    decision: Decision


Effect: TypeAlias = AskDescriber | MeasureSpeech | WindowClosed | AdEvent | Withdrawn | Dropped
