"""BlazeFace, short range, through LiteRT: faces that look this way, each checked by its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box
from streaming.describers.facts.detectors import WEAKEST
from streaming.describers.facts.face_mesh import FaceMesh
from streaming.describers.facts.look import Detection
from streaming.describers.facts.part import Part, Turned
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.tflite import TfliteNet
from streaming.describers.facts.vocabulary import FACE

SIDE = 128
GRIDS = ((16, 2), (8, 6))
"""Cells a side, anchors a cell."""
CODES, SCORES = 16, 1
MOST = 4
"""Faces told of in one picture."""
TRIED = 16
"""Anchors looked at, the best."""
SAME = 0.3
FAINTEST = 0.5
"""Below, half of what it calls a face is none."""
BORNE_OUT = 2.0
"""Log-odds by its parts from which it is a face."""
AROUND = 1.5
"""The mesh was made for squares so much larger than the face."""
WIDE = 1.2
"""Width over height from which the picture's squares are looked at too, for smaller faces."""


@dataclass(frozen=True, slots=True)
class _Found:
    score: float
    box: Box
    face: Turned


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
    """1 ms a part on one core, four parts a wide picture, and the mesh's time for each face."""

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

    def _in_part(self, picture: Picture, part: Part) -> Iterator[_Found]:
        outputs = self._net(part.squared(picture.pixels, SIDE))
        raw = outputs[SCORES][:, 0].clip(-50, 50)
        scores = 1 / (1 + np.exp(-raw))
        for i in np.argsort(-scores)[:TRIED].tolist():
            if scores[i] < max(FAINTEST, WEAKEST):
                return
            box, face = self._place(i, outputs[CODES][i], part)
            yield _Found(float(scores[i]), box.of(picture.pixels.shape), face)

    def _place(self, i: int, code: NDArray[np.float32], part: Part) -> tuple[Box, Turned]:
        """Its box in pixels, and the square that the mesh is to see, with the eyes level."""
        points = self._middles[i] + code.reshape(-1, 2) / SIDE
        middle, (x1, y1), (x2, y2) = (part.place(*points[at].tolist()) for at in (0, 2, 3))
        width, height = (code[2:4] / SIDE * part.side).tolist()
        face = Turned(middle, max(width, height) * AROUND, atan2(y2 - y1, x2 - x1))
        return Box.around(middle, width, height), face


def _parts(picture: Picture) -> list[Part]:
    """The whole, and of a wide picture the squares at its left, middle and right."""
    whole = Part.whole(picture.pixels)
    room = whole.width - whole.height
    if whole.width < WIDE * whole.height:
        return [whole]
    return [whole, *(Part(left, whole.height, whole.height) for left in (0, room // 2, room))]
