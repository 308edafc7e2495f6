"""On-screen text by PP-OCR, whose models rapidocr ships. Only lines large enough to be meant."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidocr import RapidOCR

from streaming.describers.facts.box import Box
from streaming.describers.facts.look import Line
from streaming.describers.facts.picture import Picture

LOWEST, HIGHEST = 0.045, 0.4
"""Height of a line, of the picture's: smaller ones aren't meant to be read, larger are texture."""
MOST = 8
"""Lines read in one picture, the largest first."""
PADDING = 0.1
"""Of a line's height, kept around it."""
_SETTINGS = {
    "Global.log_level": "error",
    "Global.use_cls": False,
    "Det.limit_side_len": 640,
    "Det.limit_type": "max",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


class TextReader:
    """On one core 70 ms a frame of 640x360, and some 25 ms for each line read."""

    def __init__(self) -> None:
        self._ocr: Any = RapidOCR(params=_SETTINGS)

    def read(self, picture: Picture) -> list[Line]:
        """Find the lines, then read the largest."""
        found = self._ocr(picture.pixels, use_det=True, use_cls=False, use_rec=False)
        boxes = [] if found.boxes is None else [_box(corners, picture) for corners in found.boxes]
        large = sorted((b for b in boxes if LOWEST <= b.height <= HIGHEST), key=lambda b: -b.area)[
            :MOST
        ]
        lines = [self._line(box, picture) for box in large]
        return [line for line in lines if line is not None]

    def _line(self, box: Box, picture: Picture) -> Line | None:
        answer = self._ocr(_crop(box, picture), use_det=False, use_cls=False, use_rec=True)
        if not answer.txts:
            return None
        return Line(str(answer.txts[0]), float(answer.scores[0]), box)


def _box(corners: NDArray[Any], picture: Picture) -> Box:
    height, width = picture.pixels.shape[:2]
    left, top = (corners.min(axis=0) / (width, height)).tolist()
    right, bottom = (corners.max(axis=0) / (width, height)).tolist()
    return Box(left, top, right, bottom).clipped()


def _crop(box: Box, picture: Picture) -> NDArray[np.uint8]:
    height, width = picture.pixels.shape[:2]
    room = box.height * PADDING * height
    top, bottom = round(box.top * height - room), round(box.bottom * height + room)
    left, right = round(box.left * width - room), round(box.right * width + room)
    return np.ascontiguousarray(picture.pixels[max(0, top) : bottom, max(0, left) : right])
