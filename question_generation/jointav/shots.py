"""Where a video cuts. Threshold and shortest length are JointAVBench's; pictures 25 a second."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from question_generation.shot_detector import ShotDetector
from strad.errors import MediaError
from strad.timeline import Interval, Ms
from streaming.ingest import IngestOptions, open_media
from streaming.media import AudioChunk, VideoFrame
from streaming.sources import FileSource


@dataclass(frozen=True, slots=True)
class Cutting:
    """How shots are told apart."""

    threshold: float = 27.0
    shortest_s: float = 5.0
    fps: float = 25.0
    width: int = 256
    """Pixels."""


async def shots(film: Path, cutting: Cutting) -> list[Interval]:
    """The shots, one after another, from the first picture to the end of the media.

    Raises MediaError and its kinds; MissingModelError where PySceneDetect is not installed.
    """
    detector = ShotDetector(cutting.fps, cutting.threshold, cutting.shortest_s)
    options = IngestOptions(fps=cutting.fps, max_width=cutting.width)
    first: Ms | None = None
    end: Ms = 0
    async with open_media(FileSource(film), options) as media:
        async for item in media:
            match item:
                case VideoFrame(t=t):
                    first = t if first is None else first
                    end = max(end, t + round(1000 / cutting.fps))
                    await asyncio.to_thread(detector.see, item)
                case AudioChunk():
                    end = max(end, item.when.end)
                case _:
                    pass
    if first is None:
        raise MediaError(f"{film}: no picture in it")
    edges = [first, *(cut for cut in detector.cuts if first < cut < end), end]
    return [Interval(a, b) for a, b in pairwise(edges)]
