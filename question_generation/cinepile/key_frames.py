"""One frame of each shot of a part of a clip, decoded in the guarded child."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from question_generation.shot_detector import ShotDetector
from strad.errors import MediaError
from strad.questions import Segment
from strad.timeline import Interval, Ms, from_seconds, to_seconds
from strad_engines.messages import Image
from streaming.excerpts import Excerpt, excerpts
from streaming.ingest import IngestOptions

PIECE: Ms = 4_000
"""So much is decoded for shots at once."""


@dataclass(frozen=True, slots=True)
class KeyFrame:
    """A frame from the middle of a shot."""

    at: float
    """Seconds of the video."""
    picture: Image


@dataclass(frozen=True, slots=True)
class Shots:
    """How shots are told apart: PySceneDetect's ContentDetector with its own defaults."""

    threshold: float = 27.0
    shortest_s: float = 0.6
    most: int = 16
    """Frames; of more shots, evenly spaced ones are taken."""
    size: int = 448
    """Pixels of a frame's width, at most."""
    fps: float = 25.0
    """Pictures a second that are looked at for cuts, ``width`` wide."""
    width: int = 256
    timeout_s: float = 300.0


async def key_frames(path: Path, segment: Segment, shots: Shots) -> list[KeyFrame]:
    """In order of time. Raises MediaError and its kinds; also for what takes too long."""
    when = Interval(from_seconds(segment[0]), from_seconds(segment[1]))
    try:
        async with asyncio.timeout(shots.timeout_s):
            found = await _shots(path, when, shots)
            return await _frames(path, [one.start + one.duration // 2 for one in found], shots)
    except TimeoutError:
        raise MediaError(f"{path}: no shots found in {shots.timeout_s:.0f} s") from None


async def _shots(path: Path, when: Interval, shots: Shots) -> list[Interval]:
    """The shots of this part, one after another; evenly spaced ones of too many."""
    detector = ShotDetector(shots.fps, shots.threshold, shots.shortest_s)
    step = round(1000 / shots.fps)
    pieces = [Interval(start, start + PIECE - step) for start in range(when.start, when.end, PIECE)]
    options = IngestOptions(max_width=shots.width)
    seen: list[Ms] = []
    async for piece in excerpts(path, pieces, count=PIECE // step, sound=False, options=options):
        if not isinstance(piece, Excerpt):
            continue
        for frame in piece.frames:
            if frame.t < when.end:
                await asyncio.to_thread(detector.see, frame)
                seen.append(frame.t)
    if not seen:
        raise MediaError(f"{path}: it has nothing from {when.start / 1000:.1f} s on")
    cuts = [cut for cut in detector.cuts if seen[0] < cut <= seen[-1]]
    edges = [seen[0], *cuts, seen[-1] + step]
    found = [Interval(a, b) for a, b in pairwise(edges)]
    most = min(shots.most, len(found))
    return [found[int((n + 0.5) * len(found) / most)] for n in range(most)]


async def _frames(path: Path, times: list[Ms], shots: Shots) -> list[KeyFrame]:
    """The pictures at these times; those that the film has not are left out."""
    spans = [Interval(time, time + 2) for time in times]
    options = IngestOptions(max_width=shots.size)
    found = [
        KeyFrame(to_seconds(times[one.number]), Image(one.frames[0].jpeg))
        async for one in excerpts(path, spans, count=1, sound=False, options=options)
        if isinstance(one, Excerpt)
    ]
    return sorted(found, key=lambda frame: frame.at)
