"""BlazePose through LiteRT: where a person stands, sits or bends, checked by the limbs it finds.

Its boxes are of heads and shoulders, so it only vouches for what other detectors saw.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, hypot, pi
from pathlib import Path
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box
from streaming.describers.facts.look import Detection
from streaming.describers.facts.part import Part, Turned
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.tflite import TfliteNet
from streaming.describers.facts.vocabulary import POSTURE

FINDER, LIMBS = "pose_detector.tflite", "pose_landmarks_detector.tflite"
SIDE, LIMBS_SIDE = 224, 256
GRIDS = ((28, 2), (14, 2), (7, 6))
"""Cells a side, anchors a cell."""
CODES, SCORES = 12, 1
PRESENCE = 1
"""The second output of the net for limbs: how probable a person is."""
FAINTEST, PRESENT = 0.5, 0.7
SAME = 0.3
MOST = 2
"""Persons whose limbs are looked for."""
TRIED = 16
"""Anchors looked at, the best."""
AROUND = 1.25
"""The net for limbs was made for squares so much larger than the body."""


def middles() -> NDArray[np.float32]:
    """(2254, 2): the anchors' middles, x then y, as fractions of the square picture."""
    rows = [
        ((x + 0.5) / cells, (y + 0.5) / cells)
        for cells, each in GRIDS
        for y in range(cells)
        for x in range(cells)
        for _ in range(each)
    ]
    return np.asarray(rows, np.float32)


class PostureFinder:
    """4 ms a picture on one core, and 7 for each person it may show."""

    name = "blazepose"

    def __init__(self, bundle: Path) -> None:
        with ZipFile(bundle) as members:
            self._net = TfliteNet(members.read(FINDER))
            self._limbs = TfliteNet(members.read(LIMBS))
        self._middles = middles()

    def find(self, picture: Picture) -> list[Detection]:
        """Heads and shoulders of bodies, best first."""
        tried: list[Box] = []
        found: list[Detection] = []
        for score, box, body in self._candidates(picture):
            if len(tried) == MOST:
                break
            if any(box.overlap(other) >= SAME for other in tried):
                continue
            tried.append(box)
            if self._is_present(picture, body):
                found.append(Detection(POSTURE, score, box, frozenset({self.name})))
        return found

    def _is_present(self, picture: Picture, body: Turned) -> bool:
        limbs = self._limbs.ordered(body.cut_out(picture.pixels, LIMBS_SIDE))
        return float(limbs[PRESENCE].item()) >= PRESENT

    def _candidates(self, picture: Picture) -> Iterator[tuple[float, Box, Turned]]:
        part = Part.whole(picture.pixels)
        outputs = self._net(part.squared(picture.pixels, SIDE))
        raw = outputs[SCORES][:, 0].clip(-50, 50)
        scores = 1 / (1 + np.exp(-raw))
        for i in np.argsort(-scores)[:TRIED].tolist():
            if scores[i] < FAINTEST:
                return
            box, body = self._place(i, outputs[CODES][i], part)
            yield float(scores[i]), box.of(picture.pixels.shape), body

    def _place(self, i: int, code: NDArray[np.float32], part: Part) -> tuple[Box, Turned]:
        """Its box in pixels, and the upright square around the body, whose middle is the hips."""
        points = self._middles[i] + code.reshape(-1, 2) / SIDE
        middle, hips, above = (part.place(*points[at].tolist()) for at in (0, 2, 3))
        width, height = (code[2:4] / SIDE * part.side).tolist()
        across, up = above[0] - hips[0], hips[1] - above[1]
        body = Turned(hips, 2 * hypot(across, up) * AROUND, pi / 2 - atan2(up, across))
        return Box.around(middle, width, height), body
