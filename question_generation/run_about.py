"""What a run's folder says of the run in it: what it is, and whether it has ended."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

from strad.errors import InputError
from strad.text_file import read_text, write_text

ABOUT, UNFINISHED = "run.json", ".unfinished"
_STEP = re.compile(r"(\d\d-[a-z0-9-]+)\.(json|jsonl|dropped\.jsonl|journal)")
"""Files of steps, as ``StepFiles`` names them."""


def about_in(folder: Path) -> dict[str, Any]:
    """Pipeline, seed, models, steps. Raises InputError where there is no run, or no run of ours."""
    path = folder / ABOUT
    if not path.exists():
        raise InputError(f"{folder}: no run in it: make one with strad-qa run")
    try:
        found: Any = json.loads(read_text(path))
    except (ValueError, RecursionError):
        found = None
    if not _is_about(found):
        raise InputError(f"{path}: does not tell of a run of strad-qa; name another folder")
    told: dict[str, Any] = found
    return told


def _is_about(found: Any) -> bool:  # noqa: ANN401 as JSON has it
    if not isinstance(found, dict) or found.get("strad") != "question run":
        return False
    steps = found.get("steps")
    return (
        isinstance(found.get("pipeline"), str)
        and isinstance(steps, list)
        and bool(steps)
        and all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in steps)
    )


def refuse_loss(folder: Path, source: Path) -> None:
    """Raise InputError where a run would remove or write over what no run made, or its source."""
    there = _step_files(folder)
    if there and not (folder / ABOUT).exists():
        raise InputError(f"{folder}: holds {there[0].name}, and no run: name another folder")
    if source.exists() and any(path.samefile(source) for path in there):
        raise InputError(f"{source}: is a file of the run in {folder}: name another folder")


def begin(folder: Path, steps: Collection[str]) -> None:
    """Mark the folder as unfinished; remove files of steps that are not ``steps``: ``01-write``.

    Those are an earlier run's. What lies there under a name that is no step's stays.
    """
    write_text(folder / UNFINISHED, "", overwrite=True)
    for path in _step_files(folder):
        found = _STEP.fullmatch(path.name)
        if found and found[1] not in steps:
            path.unlink()


def _step_files(folder: Path) -> list[Path]:
    """What lies in it under a step's name; nothing where there is no folder."""
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _STEP.fullmatch(path.name))


def end(folder: Path) -> None:
    """All steps have ended."""
    (folder / UNFINISHED).unlink(missing_ok=True)


def is_unfinished(folder: Path) -> bool:
    """Whether a run is at work in it, or was broken off."""
    return (folder / UNFINISHED).exists()
