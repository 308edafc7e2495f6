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
from training.preparing.ownership import begin, end, is_ours, made_for_work, must_be_ours, parts_in
from training.preparing.plan import FilmPlan
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
    unless it is to be made ``again``, or files that are no data set's, or corrections, or where
    nothing can be made: then what was there is there still. WorkError where another run works in
    it or the disk fails.
    """
    materials = _named_once(materials, skips)
    made_of = wishes.identity(materials)
    with made_for_work(folder), only_run(folder):
        must_be_ours(folder)
        licence = str((about or {}).get("licence", ""))
        if not again and (found := _finished(folder, made_of, licence)) is not None:
            return found, True
        run = Run(folder, wishes, skips, watcher, jobs, casting)
        plans = await _films(run, materials)
        made = [run.parts[plan.material.slug] for plan in plans]
        skips.listed.extend(skip for part in made for skip in part.skips)
        account = {"seed": wishes.manner.seed, "made_of": made_of, "films": statistics(plans)}
        _forget(folder)
        account = {**(about or {}), **account}
        dataset = assemble(folder, folder / PARTS, made, wishes, account, skips)
        _clear(folder / PARTS)
        end(folder)
        return dataset, False


async def _films(run: Run, materials: Sequence[Material]) -> list[FilmPlan]:
    """The films' parts. Of a run that makes none nothing is left, but what was there before."""
    fresh = not is_ours(run.folder)
    _begin(run.folder)
    try:
        return await run.films(materials)
    except InputError:
        if fresh and not run.parts:
            if (run.folder / PARTS).is_dir():
                _clear(run.folder / PARTS)
            end(run.folder)
        raise


def _finished(folder: Path, made_of: str, licence: str) -> Dataset | None:
    """The data set, where it is the one that is wanted. Raises InputError for another."""
    if not (folder / DATASET).exists():
        return None
    found = Dataset.open(folder)
    if found.about.get("made_of") != made_of:
        raise InputError(f"{folder}: holds another data set: name another folder, or --again")
    told = found.about.get("licence")
    if licence and licence != told:
        raise InputError(
            f"{folder}: its licence is {told or 'not stated'}: to state another, --again"
        )
    return found


def _begin(folder: Path) -> None:
    """Raises InputError for a folder of corrections: they can't be made of what is prepared."""
    if any(folder.glob("corrections-*.jsonl")):
        raise InputError(f"{folder}: holds corrections, which would be lost: name another folder")
    begin(folder)


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
    """The parts are in the shards now. A file of another name stays, and its folder with it."""
    try:
        for path in parts_in(parts):
            path.unlink()
        if not any(parts.iterdir()):
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
