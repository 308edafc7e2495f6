"""Evenly spaced pictures from a folder: one folder a video, one file a picture."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path, PurePath

from strad.errors import InputError, WorkError
from strad_engines.messages import Image
from strad_eval.mcq.item import Item

TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
}
_SECONDS = re.compile(r"\d+\.\d+")
"""A name with a decimal point is a time; ``0001.jpg`` is only a place in the order."""


def evenly(start: float, end: float, count: int) -> list[float]:
    """The middles of ``count`` equal parts of the span."""
    return [start + (end - start) * (index + 0.5) / count for index in range(count)]


def frames_of(folder: Path, item: Item, count: int) -> tuple[Image, ...]:
    """``count`` pictures of ``folder/<video>``, or all where there are fewer.

    Names that are seconds (``12.500.jpg``) place each picture, and only the question's segment
    counts. Other names are taken to be evenly spaced over exactly what the question is about.
    """
    place = inside(folder, item.video)
    files = sorted(path for path in _listed(place) if path.suffix.lower() in TYPES)
    if not files:
        raise InputError(f"{place}: no pictures ({', '.join(TYPES)}) in it")
    times = [float(path.stem) if _SECONDS.fullmatch(path.stem) else None for path in files]
    known = [time for time in times if time is not None]
    chosen = (
        _by_time(files, known, item, count) if len(known) == len(files) else _spread(files, count)
    )
    return tuple(_read(path) for path in chosen)


def inside(folder: Path, name: str) -> Path:
    """The entry ``name`` of the folder. Raises InputError for a name that leads out of it."""
    inner = PurePath(name)
    if not inner.parts or inner.is_absolute() or ".." in inner.parts or "\0" in name:
        raise InputError(f"{name!r} is no name inside {folder}")
    return folder / inner


def _by_time(files: Sequence[Path], times: Sequence[float], item: Item, count: int) -> list[Path]:
    by_time = sorted(zip(times, files, strict=True))
    start, end = item.segment or (by_time[0][0], by_time[-1][0])
    within = [pair for pair in by_time if start <= pair[0] <= end]
    if not within:
        raise InputError(f"{files[0].parent}: no picture from {start:g} to {end:g} s")
    ordered = [time for time, _ in within]
    places = {_nearest(ordered, time) for time in evenly(start, end, count)}
    return [within[at][1] for at in sorted(places)]


def _nearest(times: Sequence[float], time: float) -> int:
    at = bisect_left(times, time)
    near = [i for i in (at - 1, at) if 0 <= i < len(times)]
    return min(near, key=lambda i: abs(times[i] - time))


def _spread(files: Sequence[Path], count: int) -> list[Path]:
    places = {int(place) for place in evenly(0, len(files), min(count, len(files)))}
    return [files[at] for at in sorted(places)]


def _listed(place: Path) -> list[Path]:
    try:
        return list(place.iterdir())
    except OSError as error:
        raise InputError(f"{place}: can't be read: {(error.strerror or '').lower()}") from None


def _read(path: Path) -> Image:
    try:
        return Image(path.read_bytes(), TYPES[path.suffix.lower()])
    except OSError as error:
        raise WorkError(f"{path}: can't be read: {(error.strerror or '').lower()}") from None
