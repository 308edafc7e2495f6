"""A stage's outcomes as they come, in a file that only grows: what kill -9 leaves is gone on from.

Each is a line about it, followed by the records that go on. What was being written when the
process died is cut off; nothing else is lost.
"""

from __future__ import annotations

import json
import os
from array import array
from pathlib import Path
from types import TracebackType
from typing import IO

from question_generation.outcome import Outcome, dumps
from strad.errors import InputError, WorkError


class Journal:
    """Use as a context manager. ``step`` is what the stage hangs on: another one begins anew."""

    def __init__(self, path: Path, step: str) -> None:
        self._path, self._step = path, step
        self._file: IO[bytes] | None = None
        self._reader: IO[bytes] | None = None
        self._offsets = array("q")

    def __enter__(self) -> Journal:
        try:
            self._file = self._path.open("ab", buffering=0)
            self._reader = self._path.open("rb")
            self._recover(self._file, self._reader)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self._path}: can't be opened: {why}") from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in (self._file, self._reader):
            if file is not None:
                file.close()
        self._file = self._reader = None

    def has(self, at: int, key: str) -> bool:
        """Whether the record at this place is done: the same content, and not failed."""
        found = self.get(at)
        return found is not None and found.key == key and not found.failed

    def get(self, at: int) -> Outcome | None:
        """The last outcome of the record at this place."""
        if at >= len(self._offsets) or self._offsets[at] < 0:
            return None
        assert self._reader is not None
        self._reader.seek(self._offsets[at])
        about = json.loads(self._reader.readline())
        lines = tuple(self._reader.readline().decode()[:-1] for _ in range(about.pop("lines")))
        return Outcome(lines=lines, **about)

    def put(self, outcome: Outcome) -> None:
        """Keep it, in the file before anything else. Raises WorkError when the disk fails."""
        about = {
            "at": outcome.at,
            "id": outcome.id,
            "key": outcome.key,
            "lines": len(outcome.lines),
            "reason": outcome.reason,
            "detail": outcome.detail,
            "failed": outcome.failed,
            "spent": outcome.spent,
        }
        text = "".join(f"{line}\n" for line in (dumps(about), *outcome.lines))
        assert self._file is not None
        try:
            offset = self._file.seek(0, os.SEEK_END)
            _write(self._file, text.encode())
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise WorkError(f"{self._path}: can't be written: {why}") from None
        self._note(outcome.at, offset)

    def _note(self, at: int, offset: int) -> None:
        if at >= len(self._offsets):
            self._offsets.extend([-1] * (at + 1 - len(self._offsets)))
        self._offsets[at] = offset

    def _recover(self, file: IO[bytes], reader: IO[bytes]) -> None:
        """Find what is there; begin anew where it is of another step."""
        whole = 0
        if reader.readline() == self._head():
            whole = reader.tell()
            while (end := self._entry(reader)) is not None:
                whole = end
        file.truncate(whole)
        if not whole:
            _write(file, self._head())

    def _entry(self, reader: IO[bytes]) -> int | None:
        """Note one outcome; where it ends. None: no whole one is left."""
        offset = reader.tell()
        line = reader.readline()
        if not line.endswith(b"\n"):
            return None
        about = json.loads(line)
        for _ in range(about["lines"]):
            if not reader.readline().endswith(b"\n"):
                return None
        self._note(about["at"], offset)
        return reader.tell()

    def _head(self) -> bytes:
        return f"{dumps({'strad': 'journal', 'version': 1, 'step': self._step})}\n".encode()


def _write(file: IO[bytes], data: bytes) -> None:
    """All of it: a raw write may take less."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
