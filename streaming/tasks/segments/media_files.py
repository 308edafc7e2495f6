"""Which file holds a segment's media."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from streaming.tasks.segments.segment import Segment

ENDINGS = ("mp4", "mkv", "webm", "mov", "m4v", "avi", "ts", "ogv")


def media_of(segment: Segment, folder: Path) -> Path | None:
    """The file in ``folder``, under the first of the names that is there. Never outside it."""
    for name in segment.media:
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts:
            continue
        for end in ENDINGS:
            path = folder / f"{name}.{end}"
            if path.is_file():
                return path
    return None


def by_media(
    segments: Sequence[Segment], folder: Path
) -> tuple[dict[Path, list[Segment]], list[Segment]]:
    """The segments of each file that is there, files in order of appearance; and all others."""
    found: dict[Path, list[Segment]] = {}
    missing: list[Segment] = []
    for segment in segments:
        path = media_of(segment, folder)
        if path is None:
            missing.append(segment)
        else:
            found.setdefault(path, []).append(segment)
    return found, missing
