"""Lines that know their number, for readers that say where something is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

from strad.errors import InputError

_Line = TypeVar("_Line", str, bytes)


class NumberedLines(Generic[_Line]):
    """Lines, and the number of the one read last."""

    def __init__(self, lines: Iterable[_Line]) -> None:
        self._lines: Iterable[_Line] = lines
        self.number = 0

    def __iter__(self) -> Iterator[_Line]:
        for line in self._lines:
            self.number += 1
            yield line


def file_lines(path: Path) -> Iterator[bytes]:
    """A file's lines as they are read. Raises InputError where it can't be."""
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: can't be read: {why}") from None
