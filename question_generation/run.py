"""A run: a pipeline over a file of records, in a folder that can always be gone on from.

Steps work one after the other. A step that has ended, of the same input, version, settings, seed,
models and prompts, is passed over; one that was broken off goes on from its journal; what failed is
tried again.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from question_generation.crew import Crew
from question_generation.drop import Drop
from question_generation.intake import INTAKE, require_records, take_in
from question_generation.journal import Journal
from question_generation.outcome import Job, Outcome, dumps
from question_generation.progress import Progress, Silent
from question_generation.prompt_files import prompts_sha256
from question_generation.run_about import ABOUT, about_in, begin, end, refuse_loss
from question_generation.stage import Gather, Pipeline, Stage
from question_generation.step_files import Counts, StepFiles, StepWriter, writing
from strad.errors import InputError, WorkError
from strad.record import parse_record
from strad.text_file import refuse_folder, write_text

IN_A_ROW = 25
"""So many failures after each other end the run: going on would not mend it."""
CACHE, LOCK = "answers.sqlite", ".lock"


class GaveUpError(WorkError):
    """Too much failed in a row."""

    code = "gave-up"


@dataclass(frozen=True, slots=True)
class Run:
    """What is run, on what, and where."""

    folder: Path
    pipeline: Pipeline
    source: Path
    models: Mapping[str, str] = field(default_factory=dict)
    """The name of the model in each role."""
    seed: int = 0
    limit: int | None = None
    """Only the first so many records of the source."""
    redo: bool = False
    """Whether the folder may hold another run: what differs is made anew."""
    in_a_row: int = IN_A_ROW

    def check(self) -> None:
        """Raise the InputError that ``work`` would: nothing is made, and no model is opened yet."""
        self.check_files()
        self._refuse_another()

    def check_files(self) -> None:
        """What of it can be known before the first step is ready."""
        refuse_folder(self.folder)
        refuse_loss(self.folder, self.source)
        require_records(self.source, self.pipeline.steps[0].reads, self.limit)

    async def work(self, crew: Crew, progress: Progress | None = None) -> list[Counts]:
        """All steps; the counts of each. Raises GaveUpError, InputError, WorkError."""
        told = progress or Silent()
        self.check()
        with self._alone():
            self._same()
            before, counts = self._intake()
            found = [counts]
            told.step(INTAKE, counts)
            for place, step in enumerate(self.pipeline.steps, start=1):
                before, counts = await self._step(place, step, before, crew, told)
                found.append(counts)
            end(self.folder)
        return found

    def files(self) -> list[StepFiles]:
        """Of every step, the source first."""
        names = [INTAKE, *(step.name for step in self.pipeline.steps)]
        return [StepFiles(self.folder, place, name) for place, name in enumerate(names)]

    def _intake(self) -> tuple[StepFiles, Counts]:
        files = StepFiles(self.folder, 0, INTAKE)
        first = self.pipeline.steps[0]
        key = _key(_digest(self.source), self.limit, first.reads.__name__)
        if files.is_done(key):
            return files, _counts_of(files)
        counts = take_in(self.source, first.reads, files, self.limit)
        files.end(counts, key)
        return files, counts

    async def _step(
        self,
        place: int,
        step: Stage[Any, Any] | Gather[Any, Any],
        before: StepFiles,
        crew: Crew,
        told: Progress,
    ) -> tuple[StepFiles, Counts]:
        files = StepFiles(self.folder, place, step.name)
        hangs_on = self._step_key(step)
        key = _key(hangs_on, _digest(before.records))
        if files.is_done(key):
            files.journal.unlink(missing_ok=True)
            told.step(step.name, _counts_of(files))
            return files, _counts_of(files)
        if isinstance(step, Gather):
            counts = await asyncio.to_thread(_gather, step, before, files, self.seed)
        else:
            total = before.told()["out"]
            told.begin(step.name, total)
            counts = await self._stage(step, before, files, crew, told, hangs_on)
        files.end(counts, key)
        if not counts.failed:
            files.journal.unlink(missing_ok=True)
        told.step(step.name, counts)
        return files, counts

    async def _stage(
        self,
        stage: Stage[Any, Any],
        before: StepFiles,
        files: StepFiles,
        crew: Crew,
        told: Progress,
        hangs_on: str,
    ) -> Counts:
        with Journal(files.journal, hangs_on) as journal:
            taking = _Taking(journal, told, self.in_a_row, asks=bool(stage.roles))
            await crew.work(stage, _left(before, journal, told), self.seed, taking.take)
            if taking.last is not None and taking.row >= self.in_a_row:
                raise GaveUpError(
                    f"{stage.name}: {taking.row} records failed in a row, the last with:"
                    f" {taking.last.detail} (the same command goes on from here)"
                )
            with writing(files) as writer:
                await asyncio.to_thread(_settle, journal, before, writer)
        return writer.counts

    def _step_key(self, step: Stage[Any, Any] | Gather[Any, Any]) -> str:
        roles = () if isinstance(step, Gather) else step.roles
        models = {role: self.models.get(role) for role in roles}
        prompts = prompts_sha256(tuple(self.pipeline.prompts)) if roles else ""
        return _key(step.name, step.version, dict(step.settings), self.seed, models, prompts)

    def _about(self) -> dict[str, Any]:
        """What the run is, as JSON has it."""
        told = {
            "strad": "question run",
            "version": 1,
            "pipeline": f"{self.pipeline.name} {self.pipeline.version}",
            "seed": self.seed,
            "models": dict(self.models),
            "prompts": prompts_sha256(tuple(self.pipeline.prompts)),
            "source": self.source.name,
            "steps": [
                {"name": step.name, "version": step.version, "settings": dict(step.settings)}
                for step in self.pipeline.steps
            ],
        }
        found: dict[str, Any] = json.loads(json.dumps(told))
        return found

    def _refuse_another(self) -> None:
        """Raise InputError where the folder holds another run."""
        if self.redo or not (self.folder / ABOUT).exists():
            return
        before = about_in(self.folder)
        for name, told in self._about().items():
            if before.get(name) != told:
                raise InputError(
                    f"{self.folder}: holds a run with another {name}; name another folder, or"
                    " --redo what differs (answers that were paid for are kept)"
                )

    def _same(self) -> None:
        """Write what the run is, and that it has not ended; remove steps that it has not.

        Raises InputError where the folder holds another run.
        """
        self._refuse_another()
        begin(self.folder, [f"{files.place:02d}-{files.name}" for files in self.files()])
        told = json.dumps(self._about(), indent=1, ensure_ascii=False)
        write_text(self.folder / ABOUT, told, overwrite=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Make the folder, and keep another process out."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("w")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self.folder}: can't be written: {why}") from None
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InputError(f"{self.folder}: another process is at work in it") from None
            yield


@dataclass(slots=True)
class _Taking:
    """Outcomes as they come: kept, told, and watched for a row of failures."""

    journal: Journal
    told: Progress
    in_a_row: int
    asks: bool
    """Whether the stage asks models: then only their answers end a row."""
    row: int = 0
    last: Outcome | None = None

    def take(self, outcome: Outcome) -> bool:
        self.journal.put(outcome)
        self.told.outcome(outcome)
        if outcome.failed:
            self.row += 1
        elif outcome.spent or not self.asks:
            self.row = 0
        self.last = outcome if outcome.failed else self.last
        return self.row < self.in_a_row


def _left(before: StepFiles, journal: Journal, told: Progress) -> Iterator[Job]:
    """The jobs that are not done yet."""
    for job in before.jobs():
        if journal.has(job.at, job.key):
            told.passed()
        else:
            yield job


def _settle(journal: Journal, before: StepFiles, writer: StepWriter) -> None:
    """Every outcome, in the order of the input."""
    for job in before.jobs():
        outcome = journal.get(job.at)
        if outcome is None or outcome.key != job.key:
            raise WorkError(f"{before.name}: what became of {job.id} is not known")
        writer.put(outcome)


def _gather(step: Gather[Any, Any], before: StepFiles, files: StepFiles, seed: int) -> Counts:
    with writing(files) as writer:
        records = _Records(before, step.reads)
        went: set[str] = set()
        gone: dict[str, Drop] = {}
        for fate in step.gather(records, seed=seed):
            if isinstance(fate.became, Drop):
                gone |= dict.fromkeys(fate.of, fate.became)
            else:
                went |= set(fate.of)
                writer.line(fate.became.line())
        for job in before.jobs():
            writer.counts.came += 1
            if job.id in went:
                writer.counts.went_on += 1
                continue
            drop = gone.get(job.id, Drop("not taken up"))
            writer.counts.dropped[drop.reason] += 1
            writer.drop(job.id, drop.reason, drop.detail)
    return writer.counts


@dataclass(frozen=True, slots=True)
class _Records(Iterable[Any]):
    """The records of a step, read again each time they are gone through."""

    files: StepFiles
    reads: type[Any]

    def __iter__(self) -> Iterator[Any]:
        return (parse_record(self.reads, job.line) for job in self.files.jobs())


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be read: {why}") from None


def _key(*told: object) -> str:
    return hashlib.sha256(dumps({"of": json.loads(json.dumps(told))}).encode()).hexdigest()


def _counts_of(files: StepFiles) -> Counts:
    return Counts.read(files.told())
