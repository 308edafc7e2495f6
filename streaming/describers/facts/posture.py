"""BlazePose through LiteRT: where a person stands, sits or bends, checked by the limbs it finds.

Its boxes are of heads and shoulders, so it only vouches for what other detectors saw.
"""

from __future__ import annotations

from math import atan2, hypot, pi
from pathlib import Path
from zipfile import ZipFile

from streaming.describers.facts.anchored_net import Anchored, AnchoredNet
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
CODES = 12
PRESENCE = 1
"""The second output of the net for limbs: how probable a person is."""
FAINTEST, PRESENT = 0.5, 0.7
SAME = 0.3
MOST = 2
"""Persons whose limbs are looked for."""
AROUND = 1.25
"""The net for limbs was made for squares so much larger than the body."""


class PostureFinder:
    """4 ms a picture on one core, and 7 for each person it may show."""

    name = "blazepose"

    def __init__(self, bundle: Path) -> None:
        with ZipFile(bundle) as members:
            finder = TfliteNet(members.read(FINDER))
            self._limbs = TfliteNet(members.read(LIMBS))
        self._net = AnchoredNet(finder, side=SIDE, codes=CODES, grids=GRIDS)

    def find(self, picture: Picture) -> list[Detection]:
        """Heads and shoulders of bodies, best first."""
        tried: list[Box] = []
        found: list[Detection] = []
        whole = Part.whole(picture.pixels)
        for one in self._net.best(picture.pixels, whole, FAINTEST):
            if len(tried) == MOST:
                break
            if any(one.box.overlap(other) >= SAME for other in tried):
                continue
            tried.append(one.box)
            if self._is_present(picture, _body(one)):
                found.append(Detection(POSTURE, one.score, one.box, frozenset({self.name})))
        return found

    def _is_present(self, picture: Picture, body: Turned) -> bool:
        limbs = self._limbs.ordered(body.cut_out(picture.pixels, LIMBS_SIDE))
        return float(limbs[PRESENCE].item()) >= PRESENT


def _body(found: Anchored) -> Turned:
    """The upright square around the body, whose middle is the hips."""
    _, hips, above, *_ = found.points
    across, up = above[0] - hips[0], hips[1] - above[1]
    return Turned(hips, 2 * hypot(across, up) * AROUND, pi / 2 - atan2(up, across))
