"""The folder of a document: its passes, finished or not, and what a person has corrected.

A finished pass is written whole. An unfinished one grows line by line beside it, so that a run
which was stopped, or killed, goes on after its last line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

from strad.errors import InputError, WorkError
from strad.passes import AnyLine, PassFile, PassHeader, content_hash
from strad.text_file import read_text, write_text


@dataclass(frozen=True, slots=True)
class Finished(Generic[AnyLine]):
    """A pass as it lies in the folder."""

    header: PassHeader
    lines: list[AnyLine]

    @property
    def hash(self) -> str:
        """Of what it holds."""
        return content_hash(self.lines)

    @property
    def corrected(self) -> bool:
        """Whether a person has changed it."""
        return self.header.written != self.hash


class Unfinished(Generic[AnyLine]):
    """A pass under way: ``lines`` are done, and what is added stays."""

    def __init__(self, path: Path, lines: list[AnyLine]) -> None:
        self.lines = lines
        self._path = path

    def add(self, line: AnyLine) -> None:
        """Keep this line. Raises WorkError when it can't be written."""
        try:
            with self._path.open("a", encoding="utf-8", newline="") as file:
                file.write(f"{line.line()}\n")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise WorkError(f"{self._path}: can't be written: {why}") from None
        self.lines.append(line)


class PassFolder:
    """Where the passes of one video lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> None:
        """Raises InputError where there can be no such folder."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self.folder}: can't be used as a folder: {why}") from None

    def path(self, stage: PassFile[Any]) -> Path:
        """Of the finished pass."""
        return self.folder / stage.file

    def finished(self, stage: PassFile[AnyLine]) -> Finished[AnyLine] | None:
        """The pass, where it is finished. Raises FormatError with file and line."""
        path = self.path(stage)
        if not path.exists():
            return None
        return Finished(*stage.read(read_text(path), file=str(path)))

    def finish(
        self, stage: PassFile[AnyLine], lines: list[AnyLine], header: PassHeader
    ) -> Finished[AnyLine]:
        """Write the pass; what was unfinished of it goes."""
        header = header.model_copy(update={"written": content_hash(lines)})
        write_text(self.path(stage), stage.format.write(lines, header), overwrite=True)
        self._part(stage).unlink(missing_ok=True)
        return Finished(header, lines)

    def unfinished(self, stage: PassFile[AnyLine], inputs: str) -> Unfinished[AnyLine]:
        """The pass as far as it got, if it was made from the same; else a new one."""
        path = self._part(stage)
        lines: list[AnyLine] = []
        if path.exists():
            # A line without its end was cut by whatever ended the run.
            whole = read_text(path).rpartition("\n")[0]
            if whole:
                header, found = stage.read(whole, file=str(path))
                lines = found if header.inputs == inputs else []
        header = PassHeader(strad="document-pass", version=1, stage=stage.name, inputs=inputs)
        write_text(path, stage.format.write(lines, header), overwrite=True)
        return Unfinished(path, lines)

    def retire(self, stage: PassFile[Any]) -> Path | None:
        """Take a pass out of the way; one that was corrected is kept by another name: that one."""
        path, kept = self.path(stage), None
        if path.exists():
            found = self.finished(stage)
            if found is not None and found.corrected:
                kept = self._spare(path)
                path.replace(kept)
        path.unlink(missing_ok=True)
        self._part(stage).unlink(missing_ok=True)
        return kept

    def _part(self, stage: PassFile[Any]) -> Path:
        return self.folder / f"{stage.file}.part"

    def _spare(self, path: Path) -> Path:
        number = 1
        while (spare := path.with_name(f"{path.stem}.corrected-{number}.jsonl")).exists():
            number += 1
        return spare


def inputs_hash(basis: Mapping[str, Any]) -> str:
    """SHA-256 of all that a pass is made from."""
    return hashlib.sha256(json.dumps(basis, sort_keys=True).encode()).hexdigest()
