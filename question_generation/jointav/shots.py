"""Where a video cuts: PySceneDetect's ContentDetector over pictures from the guarded decoder.

The library's own readers are not used: no video is decoded in this process. Threshold and shortest
length are the paper's; pictures are 25 a second, 256 wide.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from strad.errors import MediaError, MissingModelError
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
    detector = _Detector(cutting)
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


class _Detector:
    def __init__(self, cutting: Cutting) -> None:
        if find_spec("scenedetect") is None:
            raise MissingModelError("shots need PySceneDetect: pip install 'strad[questions]'")
        self._cv2, self._library = import_module("cv2"), import_module("scenedetect")
        self._fps = cutting.fps
        self._detector: Any = self._library.ContentDetector(
            threshold=cutting.threshold, min_scene_len=cutting.shortest_s
        )
        self.cuts: list[Ms] = []
        """Where another shot begins."""

    def see(self, frame: VideoFrame) -> None:
        """The next picture."""
        number = round(frame.t * self._fps / 1000)
        picture = self._cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), self._cv2.IMREAD_COLOR)
        at = self._library.FrameTimecode(number, fps=self._fps)
        self.cuts += [
            round(cut.seconds * 1000) for cut in self._detector.process_frame(at, picture)
        ]
