"""A small net that scores a fixed grid of anchors, each with a box and points beside its middle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box
from streaming.describers.facts.part import Part, Point
from streaming.describers.facts.tflite import TfliteNet

TRIED = 16
"""Anchors looked at, the best."""
_SCORES = 1
"""The size of the last axis of the scores."""


@dataclass(frozen=True, slots=True)
class Anchored:
    """What one anchor found, in the picture."""

    score: float
    box: Box
    size: tuple[float, float]
    """Width and height of the box, in pixels."""
    points: tuple[Point, ...]
    """In pixels: the box's middle, and the points that the net was trained to find."""


class AnchoredNet:
    """Of the BlazeFace family: codes are in pixels of the net's own square."""

    def __init__(
        self, net: TfliteNet, *, side: int, codes: int, grids: Sequence[tuple[int, int]]
    ) -> None:
        """``codes``: numbers an anchor; ``grids``: cells a side and anchors a cell."""
        self._net, self._side, self._codes = net, side, codes
        self._middles = _middles(grids)

    def best(self, pixels: NDArray[np.uint8], part: Part, faintest: float) -> Iterator[Anchored]:
        """The best of one part of a picture, in order, down to a score of ``faintest``."""
        outputs = self._net(part.squared(pixels, self._side))
        raw = outputs[_SCORES][:, 0].clip(-50, 50)
        scores = 1 / (1 + np.exp(-raw))
        for i in np.argsort(-scores)[:TRIED].tolist():
            if scores[i] < faintest:
                return
            yield self._placed(float(scores[i]), i, outputs[self._codes][i], pixels, part)

    def _placed(
        self,
        score: float,
        i: int,
        code: NDArray[np.float32],
        pixels: NDArray[np.uint8],
        part: Part,
    ) -> Anchored:
        middle, size, *others = code.reshape(-1, 2) / self._side
        offsets = self._middles[i] + np.asarray([middle, *others])
        points = tuple(part.place(*offset.tolist()) for offset in offsets)
        width, height = (size * part.side).tolist()
        box = Box.around(points[0], width, height).of(pixels.shape)
        return Anchored(score, box, (width, height), points)


def _middles(grids: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
    """The anchors' middles, x then y, as fractions of the square picture."""
    rows = [
        ((x + 0.5) / cells, (y + 0.5) / cells)
        for cells, each in grids
        for y in range(cells)
        for x in range(cells)
        for _ in range(each)
    ]
    return np.asarray(rows, np.float32)
