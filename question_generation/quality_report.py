"""The report on a run: what its files say, and what its items are like."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from question_generation.quality import quality_of
from question_generation.run_folder import RunFolder
from question_generation.step_files import StepFiles

LISTED = 100
"""Of each step."""


def report_on(folder: RunFolder) -> dict[str, Any]:
    """As JSON has it. Raises InputError for a folder without a run that has ended."""
    steps = folder.counts()
    return {
        "strad": "question report",
        "version": 1,
        "run": folder.about(),
        "steps": steps,
        "noted": noted_of(folder, steps),
        "cost": _cost(steps),
        "quality": quality_of(folder.items()).told(),
    }


def noted_of(folder: RunFolder, steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first of those that went on with less than they might have, and why."""
    found: list[dict[str, Any]] = []
    for place, step in enumerate(steps):
        if step.get("noted"):
            files = StepFiles(folder.folder, place, step["step"])
            with files.dropped.open(encoding="utf-8") as lines:
                told = (json.loads(line) for line in lines if '"went_on":true' in line)
                found += [{"step": step["step"], **one} for one in islice(told, LISTED)]
    return found


def _cost(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for step in steps:
        found += [{"step": step["step"], "model": m, **u} for m, u in step["spent"].items()]
    return found
