"""Described films: their soundtracks' transcripts, one file for all clips or one a film."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from question_generation.cinepile.front.sentence_files import SUBTITLES
from question_generation.cinepile.front.transcripts import by_time, require, written_transcript
from question_generation.jointav.speech_lines import Recogniser, from_subtitles
from strad.errors import InputError
from strad.record import TimedText

MEDIA = (".mp3", ".m4a", ".aac", ".flac", ".wav", ".ogg", ".opus", ".mka", ".mp4", ".mkv", ".webm")


@dataclass(frozen=True, slots=True)
class DescribedFilms:
    """Where the transcripts lie."""

    files: tuple[tuple[str, Path], ...]
    """By the film's id: its WebVTT or SRT file. The one film of a single file has the id ````."""

    def lines(self, film_id: str | None) -> tuple[TimedText, ...] | None:
        """Of this film; None where it is not here. Raises FormatError, InputError."""
        files = dict(self.files)
        path = files.get("") or files.get(film_id or "")
        return None if path is None else _lines(path, path.stat().st_mtime_ns)

    def digest(self) -> str:
        """Of all that is said in all of them."""
        told = hashlib.sha256()
        for film, path in self.files:
            told.update(f"{film}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
        return told.hexdigest()


@lru_cache(maxsize=4)
def _lines(path: Path, changed: int) -> tuple[TimedText, ...]:
    return by_time(from_subtitles(path))


def check_films(path: Path) -> None:
    """Raise InputError or FormatError for what ``described_films`` refuses before it recognises."""
    for one in _named(path).values():
        if one.suffix.lower() in SUBTITLES:
            from_subtitles(one)


async def described_films(path: Path, folder: Path, recogniser: Recogniser) -> DescribedFilms:
    """Of a file, or of a folder of files named after their films: ``tt0042208.vtt``.

    What is media is recognised once, into ``folder``. Raises InputError for a file that is
    neither, for a folder without any, and for two files of one film.
    """
    named = _named(path)
    check_films(path)
    files = {
        film: one
        if one.suffix.lower() in SUBTITLES
        else await written_transcript(one, folder, recogniser)
        for film, one in named.items()
    }
    return DescribedFilms(tuple(sorted(files.items())))


def _named(path: Path) -> dict[str, Path]:
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if _known(one))
        if not found:
            raise InputError(f"{path}: no described films in it: .vtt, .srt or media")
        named = {one.stem: one for one in found}
        if len(named) < len(found):
            twice = next(one for one in found if named[one.stem] != one)
            raise InputError(
                f"{path}: two files of one film: {twice.name}, {named[twice.stem].name}"
            )
        return named
    require(path)
    if not _known(path):
        raise InputError(f"{path}: is neither .vtt, .srt nor media")
    return {"": path}


def _known(path: Path) -> bool:
    return path.suffix.lower() in (*SUBTITLES, *MEDIA)
