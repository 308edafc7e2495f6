"""The segment data sets: CMD-AD, MAD-Eval and TV-AD annotations, and published predictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from strad.csv_rows import read_rows, seconds
from strad_eval.inputs.content import Content, Gathered, Options


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a data set keeps what."""

    video: str
    start: str
    end: str
    text: str
    details: Mapping[str, str]
    """Our name and theirs of what is kept of each video."""
    duration: str | None = None
    cp1252: bool = False
    widened: bool = False
    """Whether times were widened around their centre, which may put a start before 0."""


CMDAD = Columns(
    "cmd_filename",
    "scaled_start",
    "scaled_end",
    "text",
    {"imdbid": "imdbid", "movie_title": "movie_title"},
    widened=True,
)
"""Times in the clip, widened there to 2 s and more; ``start`` and ``end`` are the film's."""
MADEVAL = Columns("movie", "start", "end", "sentence", {}, duration="movie_duration", cp1252=True)
TVAD = Columns(
    "imdbid_pe",
    "start",
    "end",
    "text",
    {"imdbid": "imdbid", "season": "season", "episode": "episode"},
)
"""Times in the episode."""


def read_annotations(path: Path, options: Options, columns: Columns) -> Content:
    """The references of a data set. A video without a known duration ends with its last one."""
    found = Gathered(str(path), options)
    needed = (columns.video, columns.start, columns.end, columns.text)
    for line, row in read_rows(path, needed, cp1252=columns.cp1252):
        times = seconds(row, columns.start, path, line), seconds(row, columns.end, path, line)
        if columns.widened and times[0] < 0 <= times[1]:
            times = 0.0, times[1]
            found.cut += 1
        video = row[columns.video].strip()
        found.reference(video, times, row[columns.text], line)
        if video not in found.details:
            found.details[video] = _details(row, columns, path, line)
    return Content(manifest=found.manifest(path.stem), swapped=found.swapped, cut=found.cut)


def read_published(path: Path, options: Options) -> Content:
    """``vid,start,end,text_gt,text_gen``: references and predictions side by side.

    An empty or absent ``text_gen`` is an empty prediction: it scores 0, it does not vanish.
    """
    found = Gathered(str(path), options)
    for line, row in read_rows(path, ("vid", "start", "end", "text_gt", "text_gen")):
        times = seconds(row, "start", path, line), seconds(row, "end", path, line)
        video = row["vid"].strip()
        found.reference(video, times, row["text_gt"], line)
        found.prediction(video, times, row["text_gen"], line)
    return Content(found.manifest(path.stem), found.predictions, swapped=found.swapped)


def _details(row: dict[str, str], columns: Columns, path: Path, line: int) -> dict[str, object]:
    details: dict[str, object] = {
        ours: row[theirs] for ours, theirs in columns.details.items() if row.get(theirs)
    }
    if columns.duration and row.get(columns.duration):
        details["duration"] = seconds(row, columns.duration, path, line)
    return details
