"""Where a video cuts: PySceneDetect's ContentDetector over pictures from the guarded decoder.

The library's own readers are not used: no video is decoded in this process.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from strad.errors import MissingModelError
from strad.timeline import Ms
from streaming.media import VideoFrame


class ShotDetector:
    """Shown the pictures of one video, in order, it finds where another shot begins.

    Raises MissingModelError where PySceneDetect is not installed.
    """

    def __init__(self, fps: float, threshold: float, shortest_s: float) -> None:
        """``fps``: of the pictures; ``threshold``, ``shortest_s``: the library's."""
        if find_spec("scenedetect") is None:
            raise MissingModelError("shots need PySceneDetect: pip install 'strad[questions]'")
        self._cv2, self._library = import_module("cv2"), import_module("scenedetect")
        self._fps = fps
        self._detector: Any = self._library.ContentDetector(
            threshold=threshold, min_scene_len=shortest_s
        )
        self.cuts: list[Ms] = []
        """Where another shot begins, so far."""

    def see(self, frame: VideoFrame) -> None:
        """The next picture. Decodes a JPEG of our own: call it off the event loop."""
        number = round(frame.t * self._fps / 1000)
        picture = self._cv2.imdecode(np.frombuffer(frame.jpeg, np.uint8), self._cv2.IMREAD_COLOR)
        at = self._library.FrameTimecode(number, fps=self._fps)
        self.cuts += [
            round(cut.seconds * 1000) for cut in self._detector.process_frame(at, picture)
        ]
