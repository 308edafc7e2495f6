"""The examples of one film's corrections, made of its media and put into a data set.

A data set that is there gets them as a shard of their own; its other examples stay as they are.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from strad.cues import Cue
from strad.errors import InputError
from strad.run_lock import only_run
from strad.text_file import write_text
from strad.timeline import Ms, to_seconds
from streaming.ingest import IngestOptions
from training.corrections.choosing import Chosen, Judged, chosen
from training.corrections.matching import Change
from training.dataset import DATASET, TRAIN, VALIDATION, VERSION, Dataset, Entry, write_index
from training.example import Example
from training.material import Material
from training.preparing.assembly import FORMAT, account_of
from training.preparing.film import FilmMaker, look_at
from training.preparing.ownership import begin, end, made_for_work, must_be_ours
from training.preparing.plan import planned
from training.preparing.run import AFTER
from training.shards import ShardWriter, packed, read_piece, unpacked
from training.skipped import Skips
from training.stored import example_of, files_of
from training.walk import Strides

NO_WINDOW = "no window could be asked about it"


@dataclass(frozen=True, slots=True)
class Making:
    """How the examples are made."""

    split: str = TRAIN
    """Of a film that is in no split yet."""
    licence: str = ""
    """Of the corrections and their film, where it was stated."""
    seed: int = 0
    strides: Strides = field(default_factory=Strides)
    looks: IngestOptions = field(default_factory=IngestOptions)
    sound: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """One film's corrections, and what became of each."""

    dataset: Dataset
    lines: tuple[dict[str, Any], ...]
    """One a correction, as the account beside the shards has them."""
    split: str
    """That of the film."""
    known: bool
    """Whether the film was in the data set before."""

    def counts(self) -> Counter[str]:
        """Examples by change."""
        return Counter(str(line["change"]) for line in self.lines if line["example"])

    def left_out(self) -> Counter[str]:
        """Those without an example, by why."""
        return Counter(str(line["left_out"]) for line in self.lines if line["left_out"])


async def keep(
    corrections: Sequence[Judged],
    material: Material,
    folder: Path,
    about: Mapping[str, Any],
    making: Making | None = None,
) -> Kept:
    """Make the examples and put them into the data set in ``folder``, which is made if need be.

    A film that is in it already, by an id or by its file's, keeps its split and its name. ``about``
    tells where the corrections come from. Raises InputError for media that can't be used, for a
    folder of other files, and for a film whose corrections are there.
    """
    making = making or Making()
    must_be_ours(folder)
    length = await _length(material, making)
    with made_for_work(folder), only_run(folder):
        before = _before(folder, material)
        entries = _others(before, material)
        split, film = _place(entries, material, making)
        material = replace(material, film=film or material.film)
        found = chosen(corrections, material, length, seed=making.seed, strides=making.strides)
        made = await _made(found, corrections, material, length, split, making)
        if not made:
            raise InputError(f"nothing in the corrections of {material.id} can be learned from")
        begin(folder)
        fresh = _shard(folder, f"{split}-corrections-{material.slug}", split, made)
        lines = [_line(n, one, made.get(n)) for n, one in enumerate(corrections)]
        _tell(folder / f"corrections-{material.slug}.jsonl", about, lines)
        write_index(folder, [*entries, *fresh])
        told = {"id": material.id, "licence": making.licence, **about}
        _describe(folder, before, [*entries, *fresh], told, making)
        end(folder)
    return Kept(Dataset.open(folder), tuple(lines), split, film is not None)


def _before(folder: Path, material: Material) -> Dataset | None:
    """The data set that is there, without finished corrections of this film."""
    must_be_ours(folder)
    if not (folder / DATASET).is_file():
        return None
    found = Dataset.open(folder)
    told = found.about.get("corrections", ())
    named = [one["id"] for one in told if "id" in one]
    unnamed = len(named) < len(told) and len(_others(found, material)) < len(found.entries)
    if material.id in named or unnamed:
        raise InputError(f"{folder}: holds corrections of {material.id} already")
    return found


def _others(before: Dataset | None, material: Material) -> list[Entry]:
    """All examples but corrections of this film, which a run that was killed may have left."""
    entries = before.entries if before is not None else ()
    keys = tuple(f"{material.slug}-{change.value}-" for change in Change)
    return [entry for entry in entries if not entry.key.startswith(keys)]


def _place(entries: Sequence[Entry], material: Material, making: Making) -> tuple[str, str | None]:
    """The film's split, and its name where it is in one: held out, if any of it is."""
    own = f"{material.slug}-"
    there = [e for e in entries if e.film in material.films or e.key.startswith(own)]
    held = [entry for entry in there if entry.split == VALIDATION] or there
    return (held[0].split, held[0].film) if held else (making.split, None)


async def _length(material: Material, making: Making) -> Ms:
    seen = await look_at(material.media, material.id, sound=making.sound)
    if seen.skips:
        raise InputError(f"{material.media}: {seen.skips[0].why or seen.skips[0].fault.value}")
    return seen.length or max((event.when.end for event in material.events), default=0) + AFTER


async def _made(
    found: Mapping[int, Chosen],
    corrections: Sequence[Judged],
    material: Material,
    length: Ms,
    split: str,
    making: Making,
) -> dict[int, Example]:
    """By place among the corrections; the film is shown once for each walk that met some."""
    made: dict[int, Example] = {}
    with tempfile.TemporaryDirectory() as parts:
        maker = FilmMaker(Path(parts), making.looks, making.sound)
        for manner in dict.fromkeys(one.manner for one in found.values()):
            places = {one.key: n for n, one in found.items() if one.manner == manner}
            plan = planned(material, split, length, manner)
            part = await maker.part(plan, set(places), "")
            for entry in part.entries:
                files = unpacked(read_piece(Path(parts), entry.place), entry.key)
                n = places[entry.key]
                made[n] = _named(example_of(files, entry.key), n, corrections[n], material)
    return dict(sorted(made.items()))


def _named(example: Example, n: int, one: Judged, material: Material) -> Example:
    change = one.correction.change.value
    return replace(example, key=f"{material.slug}-{change}-{n:05}", why=change)


def _shard(folder: Path, name: str, split: str, made: Mapping[int, Example]) -> list[Entry]:
    entries: list[Entry] = []
    with ShardWriter(folder, name) as shards:
        for example in made.values():
            place = shards.add(packed(example.key, files_of(example)))
            entries.append(
                Entry(example.key, example.film, split, example.kind, example.why, place)
            )
    return entries


def _line(n: int, one: Judged, example: Example | None) -> dict[str, Any]:
    why = "" if example is not None else one.left_out or NO_WINDOW
    return {
        "number": n,
        "change": one.correction.change.value,
        "told": _cue(one.correction.told),
        "kept": _cue(one.correction.kept),
        "flags": [
            {"kind": flag.kind.value, "note": flag.note}
            for seen in one.flags
            for flag in seen.flags
        ],
        "example": example.key if example is not None else None,
        "left_out": why,
    }


def _cue(cue: Cue | None) -> dict[str, Any] | None:
    if cue is None:
        return None
    start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
    return {"start": start, "end": end, "text": cue.text}


def _tell(path: Path, about: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> None:
    """The account: where the corrections come from, and each of them."""
    header = {"strad": "corrections", "version": 1, **about}
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (header, *lines))
    write_text(path, text, overwrite=True)


def _describe(
    folder: Path,
    before: Dataset | None,
    entries: Sequence[Entry],
    about: Mapping[str, Any],
    making: Making,
) -> None:
    """``dataset.json``, written last: without it, it is no data set."""
    account = account_of(entries, (), Skips())
    if before is None:
        told = {"strad": FORMAT, "version": VERSION, "seed": making.seed, "licence": "", **account}
    else:
        told = {**before.about, "counts": account["counts"]}
    told["sources"] = [*told.get("sources", ()), str(about.get("media", ""))]
    told["corrections"] = [*told.get("corrections", ()), dict(about)]
    write_text(folder / DATASET, json.dumps(told, indent=2) + "\n", overwrite=True)
