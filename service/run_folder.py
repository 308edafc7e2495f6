"""The folder of a run over many videos: what is finished, and all of it put together.

A video's summary is written last, and each file whole or not at all: a video is finished when its
summary lies there and is of the same media and transcript. Everything else is done again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from strad.efficiency import EFFICIENCY, EfficiencyHeader, WindowLog
from strad.errors import InputError
from strad.manifest import Video
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.run_lock import only_run
from strad.text_file import read_text, write_text

LONGEST_NAME = 80
"""Characters of a file's name; a longer one is cut, and told apart by its hash."""


@dataclass(frozen=True, slots=True)
class VideoFiles:
    """Where one video's results lie."""

    predictions: Path
    efficiency: Path
    summary: Path


class RunFolder:
    """One run: the same describer over one manifest, by the same rules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.predictions = folder / "predictions.jsonl"
        self.efficiency = folder / "efficiency.jsonl"
        self.summary = folder / "summary.json"

    def check(self) -> None:
        """Raises InputError where it can't become a folder: to ask before the work."""
        must_become_folder(self._folder)

    def alone(self) -> AbstractContextManager[None]:
        """For this run and no other. Raises WorkError where another one works in it."""
        self._make()
        return only_run(self._folder)

    def claim(self, identity: Mapping[str, Any], *, overwrite: bool) -> None:
        """Make the folder this run's. Raises InputError where another run lies in it."""
        self._make()
        mark = self._folder / "run.json"
        if mark.exists() and not overwrite:
            known = _document(mark)
            differs = [name for name in identity if known.get(name) != identity[name]]
            if differs:
                raise InputError(
                    f"{self._folder}: holds a run with another {differs[0]} "
                    f"({_short(known.get(differs[0]))}, not {_short(identity[differs[0]])}): "
                    "name another folder, or --overwrite"
                )
        elif overwrite:
            for old in (self._folder / "videos").iterdir():
                old.unlink()
        rendered = json.dumps(identity, indent=2, ensure_ascii=False) + "\n"
        write_text(mark, rendered, overwrite=True)

    def files(self, video: Video) -> VideoFiles:
        """Where its results lie."""
        name, folder = name_of(video), self._folder / "videos"
        return VideoFiles(
            folder / f"{name}.jsonl",
            folder / f"{name}.efficiency.jsonl",
            folder / f"{name}.summary.json",
        )

    def finished(self, video: Video, fingerprint: str) -> bool:
        """Whether all of it is there, and of this media and transcript."""
        files = self.files(video)
        if not all(f.is_file() for f in (files.predictions, files.efficiency, files.summary)):
            return False
        try:
            known = _document(files.summary)
        except InputError:
            return False
        return known.get("complete") is True and known.get("fingerprint") == fingerprint

    def merge(
        self, videos: Sequence[Video], header: PredictionsHeader, figures: Mapping[str, Any]
    ) -> None:
        """Put what these finished videos hold into one file each."""
        files = [self.files(video) for video in videos]
        write_text(self.predictions, PREDICTIONS.write(_predictions(files), header), overwrite=True)
        logs = EFFICIENCY.write(_logs(files), EfficiencyHeader(strad="efficiency", version=1))
        write_text(self.efficiency, logs, overwrite=True)
        by_video = {
            video.id: _document(each.summary) for video, each in zip(videos, files, strict=True)
        }
        whole = {**figures, "videos": by_video}
        rendered = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
        write_text(self.summary, rendered, overwrite=True)

    def _make(self) -> None:
        try:
            (self._folder / "videos").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self._folder}: can't be used as a folder: {why}") from None


def must_become_folder(path: Path) -> None:
    """Raises InputError where it is none, and can't be made one."""
    above = next(folder for folder in (path, *path.parents) if folder.exists())
    if not above.is_dir():
        raise InputError(f"{path}: can't be used as a folder: {above} is a file")
    if not os.access(above, os.W_OK | os.X_OK):
        raise InputError(f"{path}: can't be used as a folder: no permission in {above}")


def name_of(video: Video) -> str:
    """A file's name for it: any id makes one, and no two make the same."""
    name = quote(video.id, safe=" ").replace(".", "%2E")
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(video.id.encode()).hexdigest()[:12]}"
    return name


def fingerprint(video: Video, media: Path | None) -> str:
    """Tells whether a video is still the same: its entry but for the reference, and its file."""
    entry = video.model_dump(mode="json", exclude={"ad", "alignment"})
    stat = media.stat() if media is not None else None
    known = [entry, [stat.st_size, stat.st_mtime_ns] if stat else None]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def _predictions(files: Sequence[VideoFiles]) -> Iterator[Prediction]:
    for each in files:
        lines = read_text(each.predictions).split("\n")
        yield from PREDICTIONS.each(lines, file=str(each.predictions))


def _logs(files: Sequence[VideoFiles]) -> Iterator[WindowLog]:
    for each in files:
        lines = read_text(each.efficiency).split("\n")
        yield from EFFICIENCY.each(lines, file=str(each.efficiency))


def _document(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path}: is no JSON object")
    return found


def _short(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.120}"
