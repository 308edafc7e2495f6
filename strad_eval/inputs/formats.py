"""All formats by name, and which one a file is in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

from strad.csv_rows import header_of
from strad.errors import FormatError, InputError
from strad_eval.inputs import activitynet, cues, segment_csv, strad_files
from strad_eval.inputs.content import Content, Options

Reader: TypeAlias = Callable[[Path, Options], Content]

FORMATS: dict[str, Reader] = {
    "manifest": strad_files.read_manifest_file,
    "predictions": strad_files.read_predictions_file,
    "cmdad": partial(segment_csv.read_annotations, columns=segment_csv.CMDAD),
    "madeval": partial(segment_csv.read_annotations, columns=segment_csv.MADEVAL),
    "tvad": partial(segment_csv.read_annotations, columns=segment_csv.TVAD),
    "published": segment_csv.read_published,
    "activitynet": activitynet.read_references,
    "activitynet-results": activitynet.read_results,
    "vtt": cues.read_vtt,
    "webvtt": cues.read_vtt,
    "srt": cues.read_subrip,
}

_TELLING_COLUMNS = {
    "published": {"vid", "text_gt", "text_gen"},
    "cmdad": {"cmd_filename", "scaled_start"},
    "tvad": {"imdbid_pe", "tvad_name"},
    "madeval": {"movie", "sentence"},
}
_TELLING_KEYS = (
    ("predictions", (b'"video_id"', b'"strad"')),
    ("manifest", (b'"videos"',)),
    ("activitynet-results", (b'"results"',)),
    ("activitynet", (b'"timestamps"',)),
    ("manifest", (b'"version"',)),  # its reader says what is missing
)
_START = 65_536


def read_any(path: Path, options: Options, name: str | None = None) -> Content:
    """The file's content, in the format named or the one it looks like."""
    name = name or format_of(path)
    if name not in FORMATS:
        raise InputError(f"--from {name}: choose from {', '.join(FORMATS)}")
    return FORMATS[name](path, options)


def format_of(path: Path) -> str:
    """Which format a file is in, by its name and its beginning. FormatError where none fits."""
    ending = path.suffix.lower()
    if ending in (".vtt", ".srt"):
        return "webvtt" if ending == ".vtt" else "srt"
    if ending == ".csv":
        columns = set(header_of(path))
        for name, telling in _TELLING_COLUMNS.items():
            if telling <= columns:
                return name
        raise FormatError("none of the CSV formats known has these columns", file=str(path), line=1)
    if ending in (".jsonl", ".ndjson"):
        return "predictions"
    return _json_format(path)


def _json_format(path: Path) -> str:
    try:
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError as error:
        raise InputError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
    for name, keys in _TELLING_KEYS:
        if any(key in start for key in keys):
            return name
    if start.startswith((b"WEBVTT", b"\xef\xbb\xbfWEBVTT")):
        return "webvtt"
    if not start.strip():
        raise FormatError("it is empty", file=str(path), line=1)
    what = "not a format known here: neither videos (a manifest), results nor timestamps in it"
    raise FormatError(f"{what}; else name it with --from", file=str(path), line=1)
