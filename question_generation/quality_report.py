"""The report on a run: what its files say, and what its items are like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from question_generation.quality import quality_of
from question_generation.run_folder import RunFolder


def report_on(folder: RunFolder) -> dict[str, Any]:
    """As JSON has it. Raises InputError for a folder without a run that has ended."""
    steps = folder.counts()
    return {
        "strad": "question report",
        "version": 1,
        "run": folder.about(),
        "steps": steps,
        "cost": _cost(steps),
        "quality": quality_of(folder.items()).told(),
    }


def _cost(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for step in steps:
        found += [{"step": step["step"], "model": m, **u} for m, u in step["spent"].items()]
    return found
