"""BlazeFace, short range, through LiteRT: faces that look this way, each checked by its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box
from streaming.describers.facts.detectors import WEAKEST
from streaming.describers.facts.face_mesh import Candidate, FaceMesh
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
BORNE_OUT = 4.0
"""Log-odds by its parts from which it is a face for sure."""
WIDE = 1.2
"""Width over height from which the picture's squares are looked at too, for smaller faces."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the picture, in pixels, and how it lies in the square that the net is shown."""

    left: int
    width: int
    height: int

    @property
    def side(self) -> int:
        return max(self.width, self.height)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """From fractions of the square to pixels of the picture."""
        across = x * self.side - (self.side - self.width) // 2 + self.left
        return across, y * self.side - (self.side - self.height) // 2


@dataclass(frozen=True, slots=True)
class _Found:
    score: float
    box: Box
    face: Candidate


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
    """2 ms a look on one core, four looks a wide picture, and the mesh's time for each face."""

    name = "blazeface"

    def __init__(self, file: Path, mesh: FaceMesh) -> None:
        self._net = TfliteNet(file)
        self._mesh = mesh
        self._middles = middles()

    def find(self, picture: Picture) -> list[Detection]:
        """Faces, best first, one box each; ``by`` holds the mesh too where their parts agree."""
        found = [one for part in _parts(picture) for one in self._in_part(picture, part)]
        kept: list[_Found] = []
        for one in sorted(found, key=lambda one: -one.score):
            if all(one.box.overlap(other.box) < SAME for other in kept):
                kept.append(one)
        return [self._checked(picture, one) for one in kept[:MOST]]

    def _checked(self, picture: Picture, found: _Found) -> Detection:
        borne_out = self._mesh.odds(picture, found.face) >= BORNE_OUT
        by = frozenset({self.name, self._mesh.name} if borne_out else {self.name})
        return Detection(FACE, found.score, found.box, by)

    def _in_part(self, picture: Picture, part: _Part) -> Iterator[_Found]:
        outputs = self._net(_squared(picture.pixels, part))
        raw = outputs[SCORES][:, 0].clip(-50, 50)
        scores = 1 / (1 + np.exp(-raw))
        for i in np.argsort(-scores)[: MOST * 4].tolist():
            if scores[i] < max(FAINTEST, WEAKEST):
                return
            yield self._found(float(scores[i]), i, outputs[CODES][i], picture, part)

    def _found(
        self, score: float, i: int, code: NDArray[np.float32], picture: Picture, part: _Part
    ) -> _Found:
        points = self._middles[i] + code.reshape(-1, 2) / SIDE
        middle, one_eye, other_eye = (part.place(*points[at].tolist()) for at in (0, 2, 3))
        width, height = (code[2:4] / SIDE * part.side).tolist()
        high, wide = picture.pixels.shape[:2]
        (x, y), half_wide, half_high = middle, width / 2, height / 2
        box = Box(
            (x - half_wide) / wide,
            (y - half_high) / high,
            (x + half_wide) / wide,
            (y + half_high) / high,
        )
        return _Found(
            score, box.clipped(), Candidate(middle, max(width, height), (one_eye, other_eye))
        )


def _parts(picture: Picture) -> list[_Part]:
    """The whole, and of a wide picture the squares at its left, middle and right."""
    height, width = picture.pixels.shape[:2]
    whole = _Part(0, width, height)
    if width < WIDE * height:
        return [whole]
    room = width - height
    return [whole, *(_Part(left, height, height) for left in (0, room // 2, room))]


def _squared(pixels: NDArray[np.uint8], part: _Part) -> NDArray[np.float32]:
    """The part in the middle of a black square, -1 to 1, red first."""
    top, left = (part.side - part.height) // 2, (part.side - part.width) // 2
    square = np.zeros((part.side, part.side, 3), np.uint8)
    shown = pixels[:, part.left : part.left + part.width]
    square[top : top + part.height, left : left + part.width] = shown
    small = cv2.resize(square, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small[:, :, ::-1].astype(np.float32) / 127.5 - 1, np.float32)
