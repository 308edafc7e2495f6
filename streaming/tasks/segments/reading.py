"""The segments in the annotations of CMD-AD, MAD-Eval and TV-AD, told apart by their columns.

Times are read as the judge reads them (``strad_eval.inputs.segment_csv``), so that each prediction
finds its reference. The text may be missing: AutoAD-Zero's files have none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from strad.csv_rows import header_of, read_rows, seconds
from strad.errors import FormatError
from strad.timeline import Interval, from_seconds
from streaming.tasks.segments.segment import PAD, Segment

Row: TypeAlias = dict[str, str]


class WrongTimesError(FormatError):
    """A row that ends before it begins, or begins before its media."""

    def __init__(
        self, when: tuple[float, float], media: tuple[str, ...], *, file: str, line: int
    ) -> None:
        what = f"it is to begin at {when[0]:g} s and end at {when[1]:g} s"
        super().__init__(what, file=file, line=line)
        self.when = when
        """In seconds."""
        self.media = media
        """As ``Segment.media``."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Where a data set keeps what."""

    name: str
    telling: frozenset[str]
    """Columns that only it has."""
    video: str
    start: str
    end: str
    text: str
    films: tuple[str, ...]
    """Columns of IMDb ids, the narrowest first."""
    media: Callable[[Row], tuple[str, ...]]
    pad: int = PAD
    cp1252: bool = False
    widened: bool = False
    """Whether times were widened around their centre, which may put a start before 0."""
    cut: bool = False
    """Whether each row has a media file of its own that begins where the row does."""


def _cmdad(row: Row) -> tuple[str, ...]:
    """``2014/ewEreSjPyC4``; or without the year's folder."""
    name = row["cmd_filename"].strip()
    return (name, name.rpartition("/")[2])


def _madeval(row: Row) -> tuple[str, ...]:
    """LSMDC's clip, in its film's folder or not."""
    clip = row.get("lsmdc_filename", "").strip().removesuffix(".avi")
    return (f"{row['movie'].strip()}/{clip}", clip) if clip else ()


def _tvad(row: Row) -> tuple[str, ...]:
    """The episode by its IMDb id."""
    return (row["imdbid_pe"].strip(),)


DATA_SETS = (
    DataSet(
        "CMD-AD",
        frozenset({"cmd_filename", "scaled_start"}),
        "cmd_filename",
        "scaled_start",
        "scaled_end",
        "text",
        ("imdbid",),
        _cmdad,
        widened=True,
    ),
    DataSet(
        "TV-AD",
        frozenset({"imdbid_pe", "tvad_name"}),
        "imdbid_pe",
        "start",
        "end",
        "text",
        ("imdbid_pe", "imdbid"),
        _tvad,
    ),
    DataSet(
        "MAD-Eval",
        frozenset({"movie", "lsmdc_filename"}),
        "movie",
        "start",
        "end",
        "sentence",
        ("imdbid", "imdb", "movie"),
        _madeval,
        pad=0,
        cp1252=True,
        cut=True,
    ),
)


def read_segments(
    path: Path, *, bad: Callable[[FormatError], None] | None = None
) -> tuple[DataSet, tuple[Segment, ...]]:
    """Every row. Raises InputError, and FormatError with file and line.

    With ``bad``, a row that can't be a segment is passed over, and why is told to it.
    """
    columns = set(header_of(path))
    found = next((one for one in DATA_SETS if one.telling <= columns), None)
    if found is None:
        told = "; ".join(f"{one.name}: {', '.join(sorted(one.telling))}" for one in DATA_SETS)
        what = f"none of the data sets known has these columns ({told})"
        raise FormatError(what, file=str(path), line=1)
    rows = read_rows(path, (found.video, found.start, found.end), cp1252=found.cp1252)
    segments: list[Segment] = []
    for line, row in rows:
        try:
            segments.append(_segment(found, row, path, line))
        except FormatError as error:
            if bad is None:
                raise
            bad(error)
    if not segments:
        raise FormatError("no segment in it", file=str(path))
    return found, tuple(segments)


def _segment(data: DataSet, row: Row, path: Path, line: int) -> Segment:
    start, end = (seconds(row, column, path, line) for column in (data.start, data.end))
    if data.widened and start < 0 <= end:
        start = 0.0
    video, media = row[data.video].strip(), data.media(row)
    if start < 0 or end <= start:
        raise WrongTimesError((start, end), media, file=str(path), line=line)
    if not video or not media or not all(media):
        raise FormatError("it does not say which video", file=str(path), line=line)
    when = Interval(from_seconds(start), max(from_seconds(start) + 1, from_seconds(end)))
    return Segment(
        line=line,
        video=video,
        start=start,
        end=end,
        when=when.shift(-when.start) if data.cut else when,
        media=media,
        films=tuple(id_ for name in data.films if (id_ := (row.get(name) or "").strip())),
        text=(row.get(data.text) or "").strip(),
        pad=data.pad,
    )
