"""The pipelines there are, by name, as the command line builds them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from question_generation.cinepile.front.steps import Front
from question_generation.cinepile.pipeline import pipeline as cinepile
from question_generation.cinepile.template import read_bank
from question_generation.jointav.pipeline import pipeline as jointav
from question_generation.stage import Pipeline
from strad.errors import InputError

WAYS = ("cinepile", "jointav")


def way(
    name: str,
    *,
    clips: Path | None = None,
    front: Front | None = None,
    test_share: float = 0.1,
    refine: bool = True,
    templates: Path | None = None,
    tasks: Sequence[str] = (),
    by_rule: bool = False,
    filmed: bool = False,
) -> Pipeline:
    """The pipeline of that name. Raises InputError for another word, or what it has not."""
    given = front or Front()
    if name == "cinepile":
        if tasks:
            raise InputError("--task: jointav has tasks, cinepile has none")
        if by_rule or filmed:
            raise InputError("--by-rule, --filmed: of jointav, not of cinepile")
        bank = read_bank(templates) if templates else None
        return cinepile(
            front=given.steps(), bank=bank, clips=clips, test_share=test_share, refine=refine
        )
    if templates:
        raise InputError("--templates: cinepile has templates, jointav has none")
    if name == "jointav":
        if given.steps():
            raise InputError("--film, --facts: of cinepile; a file of videos has jointav's facts")
        if by_rule and clips is None:
            raise InputError("--by-rule: only with --clips, where there is something to hear")
        return jointav(tasks=tasks, clips=clips, by_rule=by_rule, filmed=filmed)
    raise InputError(f"no way {name!r}: choose {' or '.join(WAYS)}")
