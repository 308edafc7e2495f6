"""BlazeFace, short range, through LiteRT: faces that look this way, each checked by its parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2
from pathlib import Path

from streaming.describers.facts.anchored_net import Anchored, AnchoredNet
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
CODES = 16
MOST = 4
"""Faces told of in one picture."""
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


class BlazeFace:
    """1 ms a part on one core, four parts a wide picture, and the mesh's time for each face."""

    name = "blazeface"

    def __init__(self, file: Path, mesh: FaceMesh) -> None:
        self._net = AnchoredNet(TfliteNet(file), side=SIDE, codes=CODES, grids=GRIDS)
        self._mesh = mesh

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
        for one in self._net.best(picture.pixels, part, max(FAINTEST, WEAKEST)):
            yield _Found(one.score, one.box, _face(one))


def _face(found: Anchored) -> Turned:
    """The square that the mesh is to see, with the eyes level."""
    middle, (x1, y1), (x2, y2), *_ = found.points
    return Turned(middle, max(found.size) * AROUND, atan2(y2 - y1, x2 - x1))


def _parts(picture: Picture) -> list[Part]:
    """The whole, and of a wide picture the squares at its left, middle and right."""
    whole = Part.whole(picture.pixels)
    room = whole.width - whole.height
    if whole.width < WIDE * whole.height:
        return [whole]
    return [whole, *(Part(left, whole.height, whole.height) for left in (0, room // 2, room))]
