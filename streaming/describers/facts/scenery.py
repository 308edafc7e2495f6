"""EfficientNet-Lite3 (ImageNet) through LiteRT: a witness, and the one that knows scenery."""

from __future__ import annotations

from pathlib import Path

import cv2

from streaming.describers.facts.detectors import WEAKEST
from streaming.describers.facts.fusion import WHOLE
from streaming.describers.facts.look import Detection
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.tflite import TfliteNet
from streaming.describers.facts.vocabulary import KINDS, SCENERY

SIDE = 280
CLASSES = 1000


class SceneryClassifier:
    """10 ms a frame on one core. It sees the whole picture, hence no place in it."""

    name = "efficientnet-lite3"

    def __init__(self, folder: Path) -> None:
        self._net = TfliteNet(folder / "efficientnet_lite3.tflite")
        lines = (folder / "efficientnet_labels.txt").read_text("utf-8").splitlines()
        places = {line.split(",")[0].strip(): at for at, line in enumerate(lines)}
        self._groups = {label: [places[one] for one in of] for label, of in SCENERY.items()}
        for label, runs in KINDS.items():
            self._groups[label] = [
                at for first, last in runs for at in range(places[first], places[last] + 1)
            ]

    def find(self, picture: Picture) -> list[Detection]:
        """The scores of a label's classes, added up."""
        small = cv2.resize(picture.pixels, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        scores = self._net(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))[CLASSES] / 256
        sums = {label: float(scores[places].sum()) for label, places in self._groups.items()}
        by = frozenset({self.name})
        return [Detection(one, score, WHOLE, by) for one, score in sums.items() if score >= WEAKEST]
