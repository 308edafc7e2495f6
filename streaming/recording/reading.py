"""Reading a recording, also one that was cut off: what is whole is used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from strad.errors import FormatError, InputError
from streaming.facts import Fact
from streaming.recording.files import FRAMES, LINES, SOUND
from streaming.recording.lines import Header, Line, UnkeptMedia, fact_of, silence


class Recording:
    """One folder. Lines are read as they are asked for: a recording may be long."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError where there is no recording that this version reads."""
        self.folder = folder
        self.file = folder / LINES
        self.media = KeptMedia(folder)
        first = next(self._all(), None)
        if first is None:
            raise InputError(f"{self.file}: is empty: nothing was recorded")
        self.header = Header.of(first, str(self.file))

    def lines(self) -> Iterator[Line]:
        """All that follows the header. A last line that was cut off is left out.

        Raises FormatError for a damaged one before it.
        """
        lines = self._all()
        next(lines, None)
        return lines

    def facts(self, *, media: bool = False) -> Iterator[Fact]:
        """The facts in their order; ``media``: with the pictures and sound that were kept."""
        kept = self.media if media else UnkeptMedia()
        for number, line in enumerate(self.lines(), start=2):
            if "fact" in line:
                yield fact_of(line, kept, f"{self.file}, line {number}")

    def complete(self) -> bool:
        """Whether the run's end is on it."""
        return any("end" in line for line in self.lines())

    def _all(self) -> Iterator[Line]:
        try:
            with self.file.open("rb") as file:
                for number, raw in enumerate(file, start=1):
                    line = self._parsed(raw, number)
                    if line is not None:
                        yield line
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self.file}: can't be read: {why}") from None

    def _parsed(self, raw: bytes, number: int) -> Line | None:
        whole = raw.endswith(b"\n")
        try:
            line = json.loads(raw)
        except ValueError:
            if not whole:
                return None  # cut off in the middle of being written
            raise FormatError("not JSON", file=str(self.file), line=number) from None
        if not isinstance(line, dict):
            raise FormatError("is no object", file=str(self.file), line=number)
        return line


class KeptMedia(UnkeptMedia):
    """The pictures and sound that lie beside the lines; what is not there is empty or silent."""

    def __init__(self, folder: Path) -> None:
        self._frames = folder / FRAMES
        self._sound = folder / SOUND

    def picture(self, sha256: str) -> bytes:
        if not sha256.isalnum():
            return b""
        try:
            return (self._frames / f"{sha256}.jpg").read_bytes()
        except OSError:
            return b""

    def sound(self, at: int | None, length: int) -> bytes:
        if at is None:
            return silence(length)
        try:
            with self._sound.open("rb") as file:
                file.seek(at)
                return file.read(length).ljust(length, b"\0")
        except OSError:
            return silence(length)
