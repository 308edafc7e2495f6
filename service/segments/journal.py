"""The journal of a run over segments: what is finished, line by line, so that it goes on there.

JSON lines beside the predictions: first what the run is, then a line for each segment described.
A last line that was cut by a crash is that segment again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from strad.errors import InputError
from strad.run_lock import only_run
from strad.text_file import read_text


@dataclass(frozen=True, slots=True)
class Finished:
    """What came of a segment."""

    text: str
    why: str = ""
    """Why the text is empty, where it is."""


class Journal:
    """One run's. Enter it to write."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self._path = path
        self._identity = dict(identity)
        self._file: IO[str] | None = None
        self._open = ExitStack()
        self.finished: dict[int, Finished] = {}
        """By the segment's line in its file."""

    @classmethod
    def beside(cls, predictions: Path, identity: Mapping[str, Any]) -> Self:
        """Where the journal of these predictions lies."""
        return cls(predictions.with_name(f"{predictions.name}.journal"), identity)

    @property
    def exists(self) -> bool:
        return self._path.exists()

    def read(self) -> None:
        """What was finished before. Raises InputError where it is of another run."""
        lines = read_text(self._path).split("\n")
        known = _object(lines[0]) if lines else None
        if known != self._identity:
            differs = [n for n in self._identity if (known or {}).get(n) != self._identity[n]]
            raise InputError(
                f"{self._path}: is of a run with another {' and '.join(differs) or 'form'}: "
                "name another output, or --overwrite"
            )
        for line in lines[1:]:
            match _object(line):
                case {"line": int(at), "text": str(text), "why": str(why)}:
                    self.finished[at] = Finished(text, why)
                case _:
                    pass  # cut by a crash: that segment again

    def __enter__(self) -> Self:
        """Raises WorkError where another run writes it."""
        fresh = not self.exists or not self.finished
        with ExitStack() as stack:
            try:
                self._file = stack.enter_context(self._path.open("a", encoding="utf-8", newline=""))
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                raise InputError(f"{self._path}: can't be written: {why}") from None
            stack.enter_context(only_run(self._path))
            self._open = stack.pop_all()
        if fresh:
            self._file.truncate(0)
            self._write(self._identity)
        else:
            self._file.write("\n")  # a cut line ends here
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file = None
        self._open.close()

    def add(self, line: int, came: Finished) -> None:
        """Write a segment down at once."""
        self.finished[line] = came
        self._write({"line": line, "text": came.text, "why": came.why})

    def remove(self) -> None:
        """It isn't needed any more. Safe where there is none."""
        self._path.unlink(missing_ok=True)

    def _write(self, document: Mapping[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(document, ensure_ascii=False) + "\n")
        self._file.flush()


def _object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
