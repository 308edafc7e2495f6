"""SSD-MobileNetV2 (COCO) through OpenCV: the better of the two at animals, cups and vehicles."""

from __future__ import annotations

from pathlib import Path

import cv2

from streaming.describers.facts.box import Box
from streaming.describers.facts.detectors import WEAKEST
from streaming.describers.facts.look import Detection
from streaming.describers.facts.picture import Picture
from streaming.describers.facts.vocabulary import COCO

SIDE = 300


class SsdMobileNet:
    """78 ms a frame on one core. OpenCV 5.1 can no longer read its TensorFlow graph."""

    name = "ssd-mobilenet-v2"

    def __init__(self, folder: Path) -> None:
        self._net = cv2.dnn.readNetFromTensorflow(
            str(folder / "frozen_inference_graph.pb"),
            str(folder / "ssd_mobilenet_v2_coco_2018_03_29.pbtxt"),
        )

    def find(self, picture: Picture) -> list[Detection]:
        """Rows of the net's answer are (0, class, score, left, top, right, bottom)."""
        blob = cv2.dnn.blobFromImage(picture.pixels, size=(SIDE, SIDE), swapRB=True)
        self._net.setInput(blob)
        rows = self._net.forward()[0, 0]
        return [self._detection(row) for row in rows.tolist() if row[2] >= WEAKEST and row[1] >= 1]

    def _detection(self, row: list[float]) -> Detection:
        label = COCO[int(row[1]) - 1]
        return Detection(label, row[2], Box(*row[3:7]).clipped(), frozenset({self.name}))
