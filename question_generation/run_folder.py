"""The folder of a run that has ended, as report, review and export read it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from question_generation.intake import INTAKE
from question_generation.item import Item
from question_generation.run_about import about_in, is_unfinished
from question_generation.step_files import all_of
from strad.errors import InputError
from strad.record import parse_record

FRONT = ("find", "facts")
"""Steps that make scenes, or add to what is known of them, before anything is made of them."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Of one run."""

    folder: Path

    def about(self) -> dict[str, Any]:
        """Pipeline, seed, models, steps. Raises InputError where there is no run."""
        return about_in(self.folder)

    def counts(self) -> list[dict[str, Any]]:
        """Of every step. Raises InputError for a run that has not ended."""
        steps = [step["name"] for step in self.about()["steps"]]
        found = list(all_of(self.folder))
        if is_unfinished(self.folder) or [one["step"] for one in found][1:] != steps:
            raise InputError(f"{self.folder}: the run has not ended; the same command goes on")
        return found

    @property
    def items_file(self) -> Path:
        """What the last step wrote."""
        steps = self.about()["steps"]
        return self.folder / f"{len(steps):02d}-{steps[-1]['name']}.jsonl"

    @property
    def scenes_file(self) -> Path:
        """The scenes that items were made from, with all that is known of them."""
        names = [INTAKE, *(step["name"] for step in self.about()["steps"])]
        place = 0
        while names[place + 1 : place + 2] and names[place + 1] in FRONT:
            place += 1
        return self.folder / f"{place:02d}-{names[place]}.jsonl"

    def items(self) -> Iterator[Item]:
        """One by one."""
        self.counts()
        yield from items_of(self.items_file)


def items_of(path: Path) -> Iterator[Item]:
    """Of any file of items. Raises InputError, FormatError with file and line."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield parse_record(Item, line, file=str(path), first_line=number)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be read: {why}") from None


def sampled(items: Iterator[Item], count: int, seed: int) -> list[Item]:
    """So many by chance, in their order; no more than those are held."""
    chance, kept = Random(f"samples {seed}"), dict[int, Item]()
    for at, item in enumerate(items):
        place = at if at < count else chance.randrange(at + 1)
        if place < count:
            kept[place] = item
    return sorted(kept.values(), key=lambda item: item.id)
