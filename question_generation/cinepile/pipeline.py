"""The pipeline: from scenes with what is seen and said to items that were filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from question_generation.cinepile.filters import (
    BLIND,
    LISTENER,
    READER,
    Degeneracy,
    Hardness,
    Release,
    VisionReliance,
)
from question_generation.cinepile.pictures import CAPTIONER, SUMMARISER, Pictures
from question_generation.cinepile.refine import REWRITER, STUDENT, Refine
from question_generation.cinepile.shortlist import SHORTLISTER, Shortlist
from question_generation.cinepile.split import Split
from question_generation.cinepile.template import Bank, own_bank
from question_generation.cinepile.writing import PERCEIVER, Writing
from question_generation.stage import WRITER, Gather, Stage

ROLES: Mapping[str, str] = MappingProxyType(
    {
        CAPTIONER: "describes key frames; it must take pictures",
        SUMMARISER: "sums up the descriptions of key frames",
        SHORTLISTER: "picks the templates that suit a scene",
        WRITER: "writes questions",
        PERCEIVER: "writes the questions on what is plainly seen",
        STUDENT: "answers with question and options alone; what it solves is rewritten",
        REWRITER: "rewrites what the student solves; best the strongest there is",
        **dict.fromkeys(BLIND, "answers with question and options alone; best three models"),
        LISTENER: "answers by the dialogue alone",
        READER: "answers by all that is seen and said",
    }
)


@dataclass(frozen=True, slots=True)
class CinePile:
    """CinePile's way; with version 2's refinement unless it was left out."""

    steps: tuple[Stage[Any, Any] | Gather[Any, Any], ...]
    name: str = "cinepile"
    version: str = "1"
    prompts: tuple[str, ...] = ("cinepile-",)

    @property
    def roles(self) -> Mapping[str, str]:
        """Those that the steps ask."""
        asked = {role for step in self.steps if isinstance(step, Stage) for role in step.roles}
        return {role: told for role, told in ROLES.items() if role in asked}


def pipeline(
    *,
    front: Sequence[Stage[Any, Any]] = (),
    bank: Bank | None = None,
    clips: Path | None = None,
    test_share: float = 0.1,
    refine: bool = True,
) -> CinePile:
    """All steps from scenes on. ``clips``: their folder; with it, train scenes are looked at.

    ``front``: what makes the scenes, or adds to them, before all else (``cinepile.front.steps``).
    """
    steps = stages(bank=bank, clips=clips, test_share=test_share, refine=refine)
    return CinePile((*front, *steps))


def stages(
    *,
    bank: Bank | None = None,
    clips: Path | None = None,
    test_share: float = 0.1,
    refine: bool = True,
) -> Sequence[Stage[Any, Any] | Gather[Any, Any]]:
    """The steps, in order: each reads what the one before writes."""
    return [
        Split(test_share),
        Pictures(clips),
        Shortlist(bank or own_bank()),
        Writing(),
        *([Refine()] if refine else []),
        Degeneracy(),
        VisionReliance(),
        Hardness(),
        Release(),
    ]
