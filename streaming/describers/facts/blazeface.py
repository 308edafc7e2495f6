"""BlazeFace, short range, through LiteRT: faces that look this way."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box
from streaming.describers.facts.detectors import WEAKEST
from streaming.describers.facts.look import Detection
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.tflite import TfliteNet
from streaming.describers.facts.vocabulary import FACE

SIDE = 128
GRIDS = ((16, 2), (8, 6))
"""Cells a side, anchors a cell."""
CODES, SCORES = 16, 1
MOST = 8
SAME = 0.3
FAINTEST = 0.5
"""Below, half of what it calls a face is none."""


def middles() -> NDArray[np.float32]:
    """(896, 2): the anchors' middles, x then y, as fractions of the square picture."""
    rows = [
        ((x + 0.5) / cells, (y + 0.5) / cells)
        for cells, each in GRIDS
        for y in range(cells)
        for x in range(cells)
        for _ in range(each)
    ]
    return np.asarray(rows, np.float32)


class BlazeFace:
    """1 ms a frame on one core."""

    name = "blazeface"

    def __init__(self, file: Path) -> None:
        self._net = TfliteNet(file)
        self._middles = middles()

    def find(self, picture: Picture) -> list[Detection]:
        """Faces, best first, one box each."""
        outputs = self._net(_squared(picture.pixels))
        raw = outputs[SCORES][:, 0].clip(-50, 50)
        scores = 1 / (1 + np.exp(-raw))
        found: list[Detection] = []
        for i in np.argsort(-scores)[: MOST * 4].tolist():
            if scores[i] < max(FAINTEST, WEAKEST) or len(found) == MOST:
                break
            box = _unsquared(self._box(i, outputs[CODES][i]), picture.pixels)
            if all(box.overlap(other.box) < SAME for other in found):
                found.append(Detection(FACE, float(scores[i]), box, frozenset({self.name})))
        return found

    def _box(self, i: int, code: NDArray[np.float32]) -> Box:
        x, y = (self._middles[i] + code[:2] / SIDE).tolist()
        width, height = (code[2:4] / SIDE).tolist()
        return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _squared(pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The whole picture in the middle of a black square, -1 to 1, red first."""
    height, width = pixels.shape[:2]
    side = max(height, width)
    top, left = (side - height) // 2, (side - width) // 2
    square = np.zeros((side, side, 3), np.uint8)
    square[top : top + height, left : left + width] = pixels
    small = cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small[:, :, ::-1].astype(np.float32) / 127.5 - 1, np.float32)


def _unsquared(box: Box, pixels: NDArray[np.uint8]) -> Box:
    height, width = pixels.shape[:2]
    side = max(height, width)
    wide, high = side / width, side / height
    left, top = (wide - 1) / 2, (high - 1) / 2
    return Box(
        box.left * wide - left,
        box.top * high - top,
        box.right * wide - left,
        box.bottom * high - top,
    ).clipped()
