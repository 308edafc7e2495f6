"""Faces by dlib (extra ``faces``): its own detector, and the ResNet of the dlib-models collection.

The weights are in the public domain (CC0): see docs/adr/0060. dlib's detector needs none. It finds
faces that look this way, from about 40 pixels on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import dlib
import numpy as np

from streaming.characters.faces import Face, Pixels, Vector
from streaming.describers.facts.box import Box

TWICE = 1
"""Times the picture is doubled before faces of 80 pixels are looked for."""


class DlibFinder:
    """dlib's frontal detector: histograms of gradients, no weights; 0.1 s a picture of 640x360."""

    sure = 0.4
    """Of its margin, which is no probability: real faces had 0.43 and more, others 0.11 (ADR 60).
    That it is the paper's number is by chance."""

    def __init__(self) -> None:
        self._detect = dlib.get_frontal_face_detector()

    def find(self, pixels: Pixels) -> list[Face]:
        """The faces that are large enough, the surest first."""
        found, scores, _ = self._detect.run(np.ascontiguousarray(pixels), TWICE, self.sure)
        faces = [
            Face(Box(*map(float, _edges(edges))).of(pixels.shape), float(score))
            for edges, score in zip(found, scores, strict=True)
        ]
        return sorted(faces, key=lambda face: -face.score)


class DlibEmbedder:
    """29 layers, 128 numbers a face, trained on 3 million; 0.1 s a face."""

    same = 0.91
    """dlib's authors count two faces as one person's up to a distance of 0.6. Vectors are about 1.4
    long, so that is a cosine of 0.91. The paper's 0.2 would take anybody for anybody here."""

    def __init__(self, embedder: Path, points: Path) -> None:
        self._embed = dlib.face_recognition_model_v1(str(embedder))
        self._points = dlib.shape_predictor(str(points))

    def embed(self, pixels: Pixels, faces: Sequence[Face]) -> list[Vector]:
        """Each face made upright by its five points first."""
        picture = np.ascontiguousarray(pixels)
        high, wide = pixels.shape[:2]
        return [self._one(picture, face.box, wide, high) for face in faces]

    def _one(self, picture: Pixels, box: Box, wide: int, high: int) -> Vector:
        edges = (box.left * wide, box.top * high, box.right * wide, box.bottom * high)
        face = dlib.rectangle(*(round(edge) for edge in edges))
        points = self._points(picture, face)
        return np.asarray(self._embed.compute_face_descriptor(picture, points), np.float32)


def _edges(edges: dlib.rectangle) -> tuple[int, int, int, int]:
    return edges.left(), edges.top(), edges.right(), edges.bottom()
