"""What became of one record in one stage, and the one place where a record's fault is caught."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from question_generation.asking import Asker
from question_generation.desk import RecordDesk
from question_generation.drop import Drop
from question_generation.spending import Spent
from question_generation.stage import Stage
from strad.errors import StradError
from strad.record import Record, parse_record

FAULTS = (
    StradError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    OSError,
)
"""What one record can bring about. It is counted and tried again the next time; others go on."""


_ID = re.compile(r'\{"id":"([^"\\]+)"')


@dataclass(frozen=True, slots=True)
class Job:
    """One record to be worked on."""

    at: int
    """Its place in the stage's input, from 0."""
    id: str
    line: str
    """The record as JSON."""

    @property
    def key(self) -> str:
        """Of what it holds: another content, another key."""
        return hashlib.sha256(self.line.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Records that go on, or why none does."""

    at: int
    id: str
    key: str
    lines: tuple[str, ...] = ()
    reason: str = ""
    """Of a drop or a failure; of a record that goes on, what could not be done about it."""
    detail: str = ""
    failed: bool = False
    """Whether it is to be tried again."""
    spent: Mapping[str, Any] = field(default_factory=dict)
    fresh: int = 0
    """Answers that were asked for just now. Not kept: a run that was killed has others."""


async def outcome_of(
    stage: Stage[Any, Any], stage_name: str, job: Job, seed: int, askers: Mapping[str, Asker]
) -> Outcome:
    """Work on one record; whatever is wrong with it, this returns."""
    desk = RecordDesk(seed, stage_name, job.id, askers)
    try:
        record = _record(stage.reads, job.line)
        became = await stage.work(record, desk)
        lines, drop = _told(became)
    except FAULTS as error:
        return _ended(job, desk.spent, reason=_kind(error), detail=_one_line(error), failed=True)
    if drop is not None:
        return _ended(job, desk.spent, reason=drop.reason, detail=drop.detail)
    noted = desk.noted[0] if desk.noted else Drop("")
    return _ended(job, desk.spent, lines=lines, reason=noted.reason, detail=noted.detail)


def _record(reads: type[Record], line: str) -> Record:
    """A line that a step of ours wrote is read without looking for what only others write."""
    try:
        return reads.model_validate_json(line)
    except ValidationError:
        return parse_record(reads, line)


def id_of(line: str) -> str:
    """The id of a record by its line, which begins with it where a step of ours wrote it."""
    found = _ID.match(line)
    name: str = found[1] if found else json.loads(line)["id"]
    return name


def _told(became: Sequence[Any] | Drop) -> tuple[tuple[str, ...], Drop | None]:
    if isinstance(became, Drop):
        return (), became
    if not became:
        return (), Drop("nothing came of it")
    return tuple(record.line() for record in became), None


def _ended(
    job: Job,
    spent: Spent,
    *,
    lines: tuple[str, ...] = (),
    reason: str = "",
    detail: str = "",
    failed: bool = False,
) -> Outcome:
    told = spent.told()
    return Outcome(job.at, job.id, job.key, lines, reason, detail, failed, told, spent.fresh)


def _kind(error: BaseException) -> str:
    return error.code if isinstance(error, StradError) else type(error).__name__


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:500]


def dumps(told: Mapping[str, Any]) -> str:
    """JSON in one line, the same each time."""
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
