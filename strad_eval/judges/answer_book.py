"""Answers that were given, in a file that only grows: a run that breaks off goes on from there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import IO

from strad.errors import FormatError, InputError


class AnswerBook:
    """Answers by key, each written out as it comes. Use as a context manager.

    A last line that was cut off, as a crash leaves it, is dropped; any other broken line is
    refused. Two runs must not share one file at a time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[str, str] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> AnswerBook:
        try:
            self._file = self._path.open("a+b")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self._path}: can't be opened: {why}") from None
        try:
            self._read(self._file)
        except FormatError:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: str) -> str | None:
        """The answer, if it was given."""
        return self._answers.get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, in memory and in the file."""
        assert self._file is not None
        self._answers[key] = answer
        self._file.write(json.dumps({"key": key, "answer": answer}).encode() + b"\n")
        self._file.flush()

    def _read(self, file: IO[bytes]) -> None:
        file.seek(0)
        whole = 0
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                break
            key, answer = self._parse(line, number)
            self._answers[key] = answer
            whole += len(line)
        file.truncate(whole)
        file.seek(0, os.SEEK_END)

    def _parse(self, line: bytes, number: int) -> tuple[str, str]:
        try:
            entry = json.loads(line)
            key, answer = entry["key"], entry["answer"]
        except (ValueError, KeyError, TypeError, RecursionError):
            key = answer = None
        if not isinstance(key, str) or not isinstance(answer, str):
            raise FormatError("not an answer", file=str(self._path), line=number)
        return key, answer
