"""A data set of examples in a folder: opened at once, read example by example, in any order.

``dataset.json`` says what it is; ``index.jsonl`` where each example lies in the shards. See
docs/training.md for the format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, overload

from pydantic import TypeAdapter, ValidationError

from strad.errors import FormatError, InputError
from strad.text_file import read_text, write_text
from training.example import Example, Kind
from training.shards import Place, read_piece, unpacked
from training.stored import example_of

VERSION = 1
TRAIN, VALIDATION = "train", "validation"
SPLITS = (TRAIN, VALIDATION)
DATASET, INDEX = "dataset.json", "index.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index says of one example."""

    key: str
    film: str
    split: str
    kind: Kind
    why: str
    place: Place


class Split(Sequence[Example]):
    """The examples of one split. Each is read when it is asked for, and not kept."""

    def __init__(self, folder: Path, entries: Sequence[Entry]) -> None:
        self._folder = folder
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    @overload
    def __getitem__(self, at: int) -> Example: ...
    @overload
    def __getitem__(self, at: slice) -> Split: ...
    def __getitem__(self, at: int | slice) -> Example | Split:
        """Raises FormatError or WorkError where the shard isn't what the index says."""
        if isinstance(at, slice):
            return Split(self._folder, self.entries[at])
        entry = self.entries[at]
        where = f"{self._folder / entry.place.shard}: {entry.key}"
        return example_of(unpacked(read_piece(self._folder, entry.place), where), where)


@dataclass(frozen=True)
class Dataset:
    """What ``strad-train prepare`` has made."""

    folder: Path
    about: dict[str, Any]
    """``dataset.json``."""
    entries: tuple[Entry, ...]

    @classmethod
    def open(cls, folder: Path) -> Dataset:
        """Raises InputError where there is none, and FormatError where its files are no such."""
        path = folder / DATASET
        if not path.is_file():
            raise InputError(f"{folder}: holds no finished data set (strad-train prepare)")
        try:
            about = json.loads(read_text(path))
        except ValueError as error:
            raise FormatError(f"not JSON: {error}", file=str(path)) from None
        if not isinstance(about, dict) or about.get("strad") != "training-data":
            raise FormatError("not a data set of examples", file=str(path))
        if about.get("version") != VERSION:
            what = f"is of version {about.get('version')}, and this reads {VERSION}"
            raise FormatError(what, file=str(path))
        return cls(folder, about, _read_index(folder / INDEX))

    def split(self, name: str) -> Split:
        """``train`` or ``validation``, in the order of the shards."""
        if name not in SPLITS:
            raise InputError(f"no split {name!r}: there are {', '.join(SPLITS)}")
        return Split(self.folder, [entry for entry in self.entries if entry.split == name])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what it is and where all of it lies: another data set has another."""
        whole = hashlib.sha256()
        for name in (DATASET, INDEX):
            whole.update((self.folder / name).read_bytes())
        return whole.hexdigest()


def write_index(folder: Path, entries: Iterable[Entry]) -> None:
    """The index, replacing any."""
    lines = (_ENTRY.dump_json(entry).decode() + "\n" for entry in entries)
    write_text(folder / INDEX, "".join(lines), overwrite=True)


def _read_index(path: Path) -> tuple[Entry, ...]:
    entries: list[Entry] = []
    *lines, last = read_text(path).split("\n")
    for number, line in enumerate([*lines, last] if last else lines, start=1):
        try:
            entries.append(_ENTRY.validate_json(line))
        except ValidationError as error:
            what = f"no entry: {error.errors()[0]['msg']}"
            raise FormatError(what, file=str(path), line=number) from None
    return tuple(entries)


_ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)
