"""Faces: how they are found, and told apart. The two protocols, and what goes between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from streaming.describers.facts.box import Box

Pixels: TypeAlias = NDArray[np.uint8]
"""(height, width, 3), red first."""
Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Face:
    """A face in one picture."""

    box: Box
    score: float
    """How sure the finder is, on a scale of its own."""


class FaceFinder(Protocol):
    """Finds faces in one picture."""

    @property
    def sure(self) -> float:
        """The score from which on it is a face. The paper's 0.4 is RetinaFace's."""
        ...

    def find(self, pixels: Pixels) -> list[Face]:
        """All faces with a score of at least ``sure``, the surest first."""
        ...


class FaceEmbedder(Protocol):
    """Turns faces into vectors that lie near each other where they are the same person's."""

    @property
    def same(self) -> float:
        """The cosine from which on two faces are one person's. The paper's 0.2 is ArcFace's."""
        ...

    def embed(self, pixels: Pixels, faces: Sequence[Face]) -> list[Vector]:
        """A vector of any length for each face of the picture, in their order."""
        ...


def cosine(one: Vector, other: Vector) -> float:
    """-1 to 1; 0 where either is no direction."""
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(np.dot(one, other)) / length if length else 0.0
