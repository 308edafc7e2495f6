"""Preparing a data set in a folder: begun, gone on with, or found finished."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from strad.errors import InputError, WorkError
from strad.run_lock import only_run
from streaming.characters.cast import Casting
from training.dataset import DATASET, Dataset
from training.material import Material
from training.preparing.assembly import assemble
from training.preparing.run import PARTS, Run, Watcher
from training.preparing.statistics import statistics
from training.preparing.wishes import Wishes
from training.skipped import Fault, Skips


async def prepare(
    materials: Sequence[Material],
    folder: Path,
    wishes: Wishes,
    skips: Skips,
    *,
    watcher: Watcher,
    jobs: int,
    casting: Casting | None = None,
    about: dict[str, Any] | None = None,
    again: bool = False,
) -> tuple[Dataset, bool]:
    """The data set, and whether it was finished before.

    ``about`` is added to ``dataset.json``. Raises InputError where the folder holds another one,
    unless it is to be made ``again``, or where nothing can be made; WorkError where another run
    works in the folder or the disk fails.
    """
    materials = _named_once(materials, skips)
    made_of = wishes.identity(materials)
    _make(folder)
    with only_run(folder):
        found = None if again else _finished(folder, made_of)
        if found is not None:
            return found, True
        _forget(folder)
        run = Run(folder, wishes, skips, watcher, jobs, casting)
        plans = await run.films(materials)
        made = [run.parts[plan.material.slug] for plan in plans]
        for part in made:
            skips.listed.extend(part.skips)
        account = {
            **(about or {}),
            "seed": wishes.manner.seed,
            "made_of": made_of,
            "films": statistics(plans),
        }
        dataset = assemble(folder, folder / PARTS, made, wishes, account, skips)
        _clear(folder / PARTS)
        return dataset, False


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {(error.strerror or str(error)).lower()}") from None


def _finished(folder: Path, made_of: str) -> Dataset | None:
    """The data set, where it is the one that is wanted. Raises InputError for another."""
    if not (folder / DATASET).exists():
        return None
    found = Dataset.open(folder)
    if found.about.get("made_of") != made_of:
        raise InputError(f"{folder}: holds another data set: name another folder, or --again")
    return found


def _forget(folder: Path) -> None:
    """Without this file it is no data set, whatever else is left."""
    (folder / DATASET).unlink(missing_ok=True)


def _named_once(materials: Sequence[Material], skips: Skips) -> list[Material]:
    """Those whose id no other has before them, in a fixed order."""
    named = Counter[str]()
    kept: list[Material] = []
    for material in materials:
        named[material.id] += 1
        if named[material.id] > 1:
            skips.add(Fault.BAD_ENTRY, material.id, "another video has the same id")
        else:
            kept.append(material)
    return sorted(kept, key=lambda material: material.id)


def _clear(parts: Path) -> None:
    """The parts are in the shards now."""
    try:
        for path in parts.iterdir():
            path.unlink()
        parts.rmdir()
    except OSError as error:
        raise WorkError(f"{parts}: {(error.strerror or str(error)).lower()}") from None


def about_of(options: dict[str, object], sources: Sequence[Path], licence: str) -> dict[str, Any]:
    """What ``dataset.json`` says of where the examples come from."""
    return {
        "options": json.loads(json.dumps(options, default=str)),
        "sources": [str(source) for source in sources],
        "licence": licence,
    }
