"""EfficientDet-Lite0 (COCO) through LiteRT: the better of the two at people in films."""

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
from streaming.describers.facts.vocabulary import COCO

SIDE = 320
LEVELS = range(3, 8)
ANCHOR_SCALE = 3.0
OCTAVES = 3
ASPECTS = ((1.0, 1.0), (1.4, 0.7), (0.7, 1.4))
CLASSES, EDGES = 90, 4
MOST = 40
"""Boxes looked at before overlapping ones are joined."""


def anchors() -> NDArray[np.float32]:
    """(19206, 4): middle y, middle x, height, width, as fractions of the picture."""
    rows: list[tuple[float, float, float, float]] = []
    for level in LEVELS:
        cells = -(-SIDE // 2**level)
        sizes = [ANCHOR_SCALE / cells * 2 ** (o / OCTAVES) for o in range(OCTAVES)]
        shapes = [(size * high, size * wide) for size in sizes for wide, high in ASPECTS]
        middles = [(i + 0.5) / cells for i in range(cells)]
        rows += [(y, x, *shape) for y in middles for x in middles for shape in shapes]
    return np.asarray(rows, np.float32)


class EfficientDet:
    """8 ms a frame on one core."""

    name = "efficientdet-lite0"

    def __init__(self, file: Path) -> None:
        self._net = TfliteNet(file)
        self._anchors = anchors()

    def find(self, picture: Picture) -> list[Detection]:
        """The best boxes; several may show one thing."""
        small = cv2.resize(picture.pixels, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)
        outputs = self._net(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
        scores, codes = outputs[CLASSES], outputs[EDGES]
        best = scores.max(axis=1)
        found = [i for i in np.argsort(-best)[:MOST].tolist() if best[i] >= WEAKEST]
        return [self._detection(i, codes[i], scores[i]) for i in found]

    def _detection(
        self, i: int, code: NDArray[np.float32], scores: NDArray[np.float32]
    ) -> Detection:
        y, x, height, width = self._anchors[i].tolist()
        y, x = y + float(code[0]) * height, x + float(code[1]) * width
        height, width = height * float(np.exp(code[2])), width * float(np.exp(code[3]))
        box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2).clipped()
        label = COCO[int(scores.argmax())]
        return Detection(label, float(scores.max()), box, frozenset({self.name}))
