"""What a run begins with: the user's file, each line checked, names made sure to be unique."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from question_generation.outcome import Job, Outcome
from question_generation.provenance import Traced
from question_generation.step_files import Counts, StepFiles, writing
from strad.errors import FormatError, InputError
from strad.record import Record, parse_record

INTAKE = "source"
LONGEST_LINE = 16 << 20
"""Bytes; a longer line is no record."""


Found = TypeVar("Found", bound=Traced)


class _Marked(Record):
    strad: object = None


def take_in(
    source: Path, reads: type[Traced], files: StepFiles, limit: int | None = None
) -> Counts:
    """Write what can be used of ``source``; a line that can't is dropped with its reason.

    Raises InputError for a file that can't be read, or none of whose records can be used.
    """
    with writing(files) as writer:
        seen: set[str] = set()
        first: FormatError | None = None
        for at, (number, line) in enumerate(_lines(source, limit)):
            try:
                record = parse_record(reads, line, file=str(source), first_line=number)
            except FormatError as error:
                first = first or error
                writer.put(_unusable(at, f"line {number}", "no record", str(error)))
                continue
            if record.id in seen:
                writer.put(_unusable(at, record.id, "id used before", f"line {number}"))
                continue
            seen.add(record.id)
            writer.put(Outcome(at, record.id, Job(at, record.id, line).key, (record.line(),)))
        if not writer.counts.out:
            raise first or _without_records(source, reads)
    return writer.counts


def require_records(source: Path, reads: type[Traced], limit: int | None = None) -> None:
    """Raise ``take_in``'s InputError: to ask before a folder is made or a model opened."""
    first: FormatError | None = None
    for number, line in _lines(source, limit):
        try:
            parse_record(reads, line, file=str(source), first_line=number)
        except FormatError as error:
            first = first or error
        else:
            return
    raise first or _without_records(source, reads)


def records_of(source: Path, reads: type[Found], limit: int | None = None) -> Iterator[Found]:
    """Those records of ``source`` that can be used."""
    for number, line in _lines(source, limit):
        try:
            yield parse_record(reads, line, file=str(source), first_line=number)
        except FormatError:
            continue


def _without_records(source: Path, reads: type[Traced]) -> InputError:
    return InputError(f"{source}: no records in it: one {reads.__name__.lower()} a line is wanted")


def _unusable(at: int, name: str, reason: str, detail: str) -> Outcome:
    return Outcome(at, name, "", (), reason, detail)


def _lines(source: Path, limit: int | None) -> Iterator[tuple[int, str]]:
    """Line numbers and lines; blank ones and the header are passed over."""
    try:
        with source.open("rb") as file:
            given = 0
            number = 0
            while (limit is None or given < limit) and (raw := file.readline(LONGEST_LINE)):
                number += 1
                line = raw.decode("utf-8", errors="replace").removeprefix("\ufeff").strip()
                if not line or (not given and _is_header(line)):
                    continue
                given += 1
                yield number, line
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{source}: can't be read: {why}") from None


def _is_header(line: str) -> bool:
    try:
        return parse_record(_Marked, line).strad is not None
    except FormatError:
        return False
