"""The files of one step in the folder of a run: records, drops, counts. Written whole or not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from question_generation.outcome import Job, Outcome, dumps, id_of
from question_generation.spending import Spent
from strad.errors import WorkError
from strad.text_file import read_text, staged, write_text


@dataclass(slots=True)
class Counts:
    """What came in and what became of it. All that came in went on, was dropped or failed."""

    came: int = 0
    went_on: int = 0
    """Of those that came."""
    out: int = 0
    """Records written: one that came may become several."""
    dropped: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    """Records not written, for another before had the same id."""
    spent: Spent = field(default_factory=Spent)
    noted: Counter[str] = field(default_factory=Counter)
    """Of those that went on, why with less than they might have."""

    def told(self) -> dict[str, Any]:
        """As JSON has it."""
        noted = {"noted": dict(sorted(self.noted.items()))} if self.noted else {}
        return {
            "in": self.came,
            "went_on": self.went_on,
            "out": self.out,
            "dropped": dict(sorted(self.dropped.items())),
            "failed": dict(sorted(self.failed.items())),
            "doubled": self.doubled,
            "spent": self.spent.told(),
            **noted,
        }

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Counts:
        """From ``told``."""
        return cls(
            told["in"],
            told["went_on"],
            told["out"],
            Counter(told["dropped"]),
            Counter(told["failed"]),
            told["doubled"],
            Spent.read(told["spent"]),
            Counter(told.get("noted", {})),
        )

    def check(self, step: str) -> None:
        """Raise WorkError where they don't add up: something was lost."""
        known = self.went_on + self.dropped.total() + self.failed.total()
        if known != self.came:
            raise WorkError(f"{step}: {self.came} records came in, {known} are accounted for")


@dataclass(frozen=True, slots=True)
class StepFiles:
    """Of the step ``name`` at its ``place``, from 0."""

    folder: Path
    place: int
    name: str

    @property
    def records(self) -> Path:
        return self._file("jsonl")

    @property
    def dropped(self) -> Path:
        """Also those that failed."""
        return self._file("dropped.jsonl")

    @property
    def counts(self) -> Path:
        return self._file("json")

    @property
    def journal(self) -> Path:
        return self._file("journal")

    def jobs(self) -> Iterator[Job]:
        """The records written, as jobs of the step after."""
        with self.records.open(encoding="utf-8") as file:
            for at, line in enumerate(file):
                text = line.rstrip("\n")
                yield Job(at, id_of(text), text)

    def told(self) -> dict[str, Any]:
        """The counts as they were written; empty where the step has not ended."""
        if not self.counts.exists():
            return {}
        found: dict[str, Any] = json.loads(read_text(self.counts))
        return found

    def is_done(self, key: str) -> bool:
        """Whether it has ended, of this key, and nothing of it is to be tried again."""
        told = self.told()
        return told.get("key") == key and not told["failed"] and self.records.exists()

    def end(self, counts: Counts, key: str) -> None:
        """The last file: with it the step has ended."""
        counts.check(self.name)
        told = {"step": self.name, "key": key, **counts.told()}
        write_text(self.counts, json.dumps(told, indent=1, ensure_ascii=False), overwrite=True)

    def _file(self, ending: str) -> Path:
        return self.folder / f"{self.place:02d}-{self.name}.{ending}"


@dataclass(slots=True)
class StepWriter:
    """Writes outcomes in their order, and counts them."""

    records: TextIO
    drops: TextIO
    counts: Counts = field(default_factory=Counts)
    _ids: set[str] = field(default_factory=set)

    def put(self, outcome: Outcome) -> None:
        """One record that came, and what became of it."""
        counts = self.counts
        counts.came += 1
        counts.spent.join(Spent.read(outcome.spent))
        if outcome.lines:
            counts.went_on += 1
            for line in outcome.lines:
                self.line(line)
            if outcome.reason:
                counts.noted[outcome.reason] += 1
                self.drop(outcome.id, outcome.reason, outcome.detail, went_on=True)
            return
        (counts.failed if outcome.failed else counts.dropped)[outcome.reason] += 1
        self.drop(outcome.id, outcome.reason, outcome.detail, failed=outcome.failed)

    def line(self, line: str) -> None:
        """One record that goes on."""
        name = id_of(line)
        if name in self._ids:
            self.counts.doubled += 1
            return
        self._ids.add(name)
        self.counts.out += 1
        self.records.write(f"{line}\n")

    def drop(
        self, name: str, reason: str, detail: str, *, failed: bool = False, went_on: bool = False
    ) -> None:
        """One that does not, or not whole; not counted here."""
        marks = {"failed": failed, "went_on": went_on}
        told: Mapping[str, Any] = {"id": name, "reason": reason, "detail": detail}
        self.drops.write(f"{dumps({**told, **{k: v for k, v in marks.items() if v}})}\n")


@contextmanager
def writing(files: StepFiles) -> Iterator[StepWriter]:
    """Both files, which get their names together when the block ends without an error."""
    files.counts.unlink(missing_ok=True)
    with (
        staged(files.records, overwrite=True) as records,
        staged(files.dropped, overwrite=True) as drops,
    ):
        yield StepWriter(records, drops)


def all_of(folder: Path) -> Iterable[dict[str, Any]]:
    """The counts of every step that has ended, in order."""
    for path in sorted(folder.glob("[0-9][0-9]-*.json")):
        found: dict[str, Any] = json.loads(read_text(path))
        yield found
