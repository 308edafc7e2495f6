"""Ratings (JSONL): a line for each page that somebody answered, written as it comes."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from strad.errors import InputError
from strad.line_file import LineFile
from strad.record import Id, Record
from strad.text_file import read_text

Choice = Literal["A", "B", "neither"]


class RatingsHeader(Record):
    """The first line: whose ratings these are."""

    strad: Literal["ratings"]
    version: Literal[1]
    study: Id
    seed: int


class Rating(Record):
    """One answered page."""

    participant: Id
    trial: Id
    kind: Literal["scales", "ab"]
    excerpt: Id
    systems: Annotated[tuple[str, ...], Field(min_length=1, max_length=2)]
    """The system rated; or those that were A and B."""
    place: Annotated[int, Field(ge=1)]
    """Which page it was of this participant's."""
    scales: dict[str, int] | None = None
    """By scale, from 1."""
    preferred: Choice | None = None
    heard: bool | None = None
    """Whether the descriptions were played, not only read."""
    seconds: Annotated[float, Field(ge=0)] | None = None
    """From when the page was shown to its answer."""
    comment: str | None = None


RATINGS = LineFile(RatingsHeader, Rating)


class RatingsFile:
    """Ratings in memory and on disk. Several threads may ask at once."""

    def __init__(self, path: Path, header: RatingsHeader) -> None:
        """Reads what is there; raises InputError for another study's ratings."""
        self._path, self._header = path, header
        self._lock = threading.Lock()
        self._done: dict[str, set[str]] = {}
        if path.exists():
            self._recall()

    def done(self, participant: str) -> frozenset[str]:
        """The trials that this participant has answered."""
        with self._lock:
            return frozenset(self._done.get(participant, ()))

    def add(self, rating: Rating) -> bool:
        """Keep it, on disk before this returns. False for a page that was answered before."""
        with self._lock:
            done = self._done.setdefault(rating.participant, set())
            if rating.trial in done:
                return False
            lines = [rating.line()]
            if not self._path.exists() or not self._path.stat().st_size:
                lines.insert(0, self._header.line())
            with self._path.open("a", encoding="utf-8") as file:
                file.write("".join(f"{line}\n" for line in lines))
                file.flush()
                os.fsync(file.fileno())
            done.add(rating.trial)
            return True

    def _recall(self) -> None:
        header, ratings = read_ratings(self._path)
        if header is not None and (header.study, header.seed) != (
            self._header.study,
            self._header.seed,
        ):
            raise InputError(f"{self._path}: ratings of another study, {header.study!r}")
        for rating in ratings:
            self._done.setdefault(rating.participant, set()).add(rating.trial)


def read_ratings(path: Path) -> tuple[RatingsHeader | None, list[Rating]]:
    """All of a file's ratings. Raises FormatError with file and line."""
    return RATINGS.read(read_text(path).split("\n"), file=str(path))
