"""The pipelines there are, by name, as the command line builds them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from question_generation.cinepile.pipeline import pipeline as cinepile
from question_generation.jointav.pipeline import pipeline as jointav
from question_generation.stage import Pipeline
from strad.errors import InputError

WAYS = ("cinepile", "jointav")


def way(
    name: str,
    *,
    clips: Path | None = None,
    test_share: float = 0.1,
    refine: bool = True,
    tasks: Sequence[str] = (),
) -> Pipeline:
    """The pipeline of that name. Raises InputError for another word, or what it has not."""
    if name == "cinepile":
        if tasks:
            raise InputError("--task: jointav has tasks, cinepile has none")
        return cinepile(clips=clips, test_share=test_share, refine=refine)
    if name == "jointav":
        if clips is not None:
            raise InputError("--clips: of cinepile; jointav's scenes come with their captions")
        return jointav(tasks=tasks)
    raise InputError(f"no way {name!r}: choose {' or '.join(WAYS)}")
