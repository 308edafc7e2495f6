"""Media files for the page, whole or in the ranges that a player asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from strad.text_file import require_folder
from strad_eval.asking.frames import inside

TYPES = {
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".ogg": "audio/ogg",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".wav": "audio/wav",
}
BLOCK = 1 << 16
_RANGE = re.compile(r"bytes=([0-9]{0,15})-([0-9]{0,15})")


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes ``first`` to ``last``, both included, of a file of ``size``."""

    path: Path
    first: int
    last: int
    size: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1

    def blocks(self) -> Iterator[bytes]:
        """The bytes, a block at a time."""
        with self.path.open("rb") as file:
            file.seek(self.first)
            left = self.length
            while left > 0 and (block := file.read(min(BLOCK, left))):
                left -= len(block)
                yield block


def media_files(folder: Path | None, videos: list[str]) -> dict[str, Path]:
    """The file of each video that has one in the folder. Raises InputError where it is none."""
    found: dict[str, Path] = {}
    if folder is None:
        return found
    require_folder(folder)
    for video in videos:
        for ending in TYPES:
            path = inside(folder, f"{video}{ending}")
            if path.is_file():
                found.setdefault(video, path)
    return found


def part_of(path: Path, asked: str | None) -> Part | None:
    """What a Range header asks for, all of it without one; None for what the file has not."""
    size = path.stat().st_size
    match = _RANGE.fullmatch(asked.strip()) if asked else None
    if match is None or match.group(0) == "bytes=-":
        return Part(path, 0, size - 1, size)
    first, last = match.groups()
    if not first:
        return Part(path, max(0, size - int(last)), size - 1, size) if int(last) else None
    start, end = int(first), min(int(last or size), size - 1)
    return Part(path, start, end, size) if start <= end else None
