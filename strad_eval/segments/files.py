"""What a segment score is asked to read, and reading it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strad.errors import FormatError
from strad.record import check_json
from strad.text_file import read_text
from strad_eval.inputs.content import Options
from strad_eval.inputs.formats import read_any
from strad_eval.material import Predictions
from strad_eval.provenance import fingerprint
from strad_eval.segments.pairing import pair_rows
from strad_eval.segments.readings import SegmentReadings
from strad_eval.segments.row import Rows


@dataclass(frozen=True, slots=True)
class SegmentFiles:
    """Paths. Without ``predictions`` the references' file must hold both."""

    references: Path
    predictions: Path | None = None
    films: Path | None = None
    """JSON: a video's id to its IMDb id (``cmd_fn_to_imdb.json``)."""
    casts: Path | None = None
    """JSON: an IMDb id to its characters' names (``cast_list_for_eval.json``)."""
    actions: Path | None = None

    def fingerprints(self) -> dict[str, dict[str, str]]:
        """Name and SHA-256 of each that is given."""
        given = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: fingerprint(path) for name, path in given.items() if path is not None}


def read_pairs(files: SegmentFiles, readings: SegmentReadings, *, in_time: bool = False) -> Rows:
    """The rows of the files. Raises the readers' errors, with file and line."""
    options = Options()
    references = read_any(files.references, options)
    if references.manifest is None:
        raise FormatError("it holds no reference descriptions", file=str(files.references))
    source = files.predictions or files.references
    if files.predictions is not None:
        videos = references.manifest.videos
        if len(videos) == 1:
            options = dataclasses.replace(options, video_id=videos[0].id)
        given = read_any(files.predictions, options)
    else:
        given = references
    if given.predictions is None:
        raise FormatError("it holds no predictions: name a file that does", file=str(source))
    films = read_films(files.films) if files.films else {}
    listed = Predictions(given.header, tuple(given.predictions), str(source))
    return pair_rows(references.manifest, listed, readings, films, in_time=in_time)


def read_films(path: Path) -> dict[str, str]:
    """Videos and their IMDb ids."""
    return {k: v for k, v in _object(path).items() if _want(isinstance(v, str), path, k)}


def read_casts(path: Path) -> dict[str, tuple[str, ...]]:
    """IMDb ids and the names to look for, each once."""
    casts = {}
    for film, names in _object(path).items():
        _want(isinstance(names, list) and all(isinstance(n, str) for n in names), path, film)
        casts[film] = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    return casts


def _object(path: Path) -> dict[str, Any]:
    text = read_text(path)
    check_json(text, file=str(path))
    found = json.loads(text)
    if not isinstance(found, dict):
        raise FormatError("not a JSON object", file=str(path), line=1)
    return found


def _want(good: bool, path: Path, member: str) -> bool:
    if not good:
        raise FormatError(f"{member}: not what it should hold", file=str(path))
    return good
