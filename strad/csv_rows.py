"""CSV with a header, row by row with its line; UTF-8, or cp1252 where a file needs it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

from strad.errors import FormatError, InputError

FIELD_LIMIT = 10_000_000
"""Characters in one field; TV-AD has lists in some."""


def read_rows(
    path: Path, columns: tuple[str, ...], *, cp1252: bool = False
) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row's line and its fields. Raises FormatError for a header or row of other columns."""
    csv.field_size_limit(FIELD_LIMIT)
    reader = csv.DictReader(io.StringIO(_decoded(path, cp1252), newline=""), strict=True)
    _check_header(reader, columns, path)
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise FormatError(f"not CSV: {error}", file=str(path), line=first) from None
        wrong = _wrong_size(row, columns)
        if wrong:
            raise FormatError(wrong, file=str(path), line=first)
        yield first, row


def _check_header(reader: csv.DictReader[str], columns: tuple[str, ...], path: Path) -> None:
    try:
        names = list(reader.fieldnames or ())
    except csv.Error as error:
        raise FormatError(f"not CSV: {error}", file=str(path), line=1) from None
    for name in columns:
        if names.count(name) != 1:
            said = f"two columns {name!r}" if name in names else f"no column {name!r}"
            raise FormatError(said, file=str(path), line=1)


def _wrong_size(row: dict[str, str], columns: tuple[str, ...]) -> str:
    """What is wrong with how many fields it has; empty where nothing is."""
    if any(row[name] is None for name in columns):
        return "too few columns"
    # DictReader keeps fields beyond the header under None.
    if any(name is None for name in row):
        return "too many columns: is a text with commas without its quotes?"
    return ""


def seconds(row: dict[str, str], column: str, path: Path, line: int) -> float:
    """A time. Raises FormatError for what is none: NaN and infinity too."""
    try:
        value = float(row[column])
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(f"{column}: not a time: {row[column]!r}", file=str(path), line=line)
    return value


def header_of(path: Path) -> tuple[str, ...]:
    """The names of the columns, without the rest being read as text."""
    try:
        with path.open("rb") as file:
            first = file.readline(65_536)
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    try:
        text = io.StringIO(first.decode("cp1252", errors="replace"), newline="")
        row = next(csv.reader(text), [])
    except csv.Error:
        return ()
    return tuple(name.strip().removeprefix("\u00ef\u00bb\u00bf") for name in row)


def _decoded(path: Path, cp1252: bool) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if not cp1252:
            what = f"not UTF-8: byte 0x{data[error.start]:02x}"
            raise FormatError(what, file=str(path), line=line) from None
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"neither UTF-8 nor cp1252: byte 0x{data[error.start]:02x}"
        raise FormatError(what, file=str(path), line=line) from None
