"""Face landmarks through LiteRT, asked one thing: whether what looks like a face has its parts."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, sin
from pathlib import Path
from zipfile import ZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.picture import Picture
from streaming.describers.facts.tflite import TfliteNet

MEMBER = "face_landmarks_detector.tflite"
SIDE = 256
AROUND = 1.5
"""The net was made for squares so much larger than the face."""
PRESENCE = 1
"""Its second output: the log-odds of a face."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a face, in pixels of the picture."""

    middle: tuple[float, float]
    side: float
    """The larger of its box's sides."""
    eyes: tuple[tuple[float, float], tuple[float, float]]


class FaceMesh:
    """4 ms a face on one core. Craters and bark have no eyes, nose and mouth where they belong."""

    name = "face-mesh"

    def __init__(self, bundle: Path) -> None:
        with ZipFile(bundle) as members:
            self._net = TfliteNet(members.read(MEMBER))

    def odds(self, picture: Picture, face: Candidate) -> float:
        """Log-odds that it is a face; real ones in films reach 4 to 24, texture stays below 0."""
        upright = cv2.warpAffine(
            picture.pixels,
            _upright(face),
            (SIDE, SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        red_first = cv2.cvtColor(upright, cv2.COLOR_BGR2RGB).astype(np.float32) / 255
        return float(self._net.ordered(red_first)[PRESENCE].item())


def _upright(face: Candidate) -> NDArray[np.float64]:
    """(2, 3): from the net's square to the picture, with the eyes level."""
    (left_x, left_y), (right_x, right_y) = face.eyes
    turn = atan2(right_y - left_y, right_x - left_x)
    scale = face.side * AROUND / SIDE
    across, down = scale * cos(turn), scale * sin(turn)
    half, (x, y) = SIDE / 2, face.middle
    return np.asarray(
        [
            [across, -down, x - (across - down) * half],
            [down, across, y - (down + across) * half],
        ]
    )
