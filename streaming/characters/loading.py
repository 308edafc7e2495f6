"""Loading what finds faces and tells them apart. To use other models, give a ``Casting`` others."""

from __future__ import annotations

from importlib.util import find_spec

from strad.errors import MissingModelError
from strad_engines.weights import Weights
from streaming.characters.faces import FaceEmbedder, FaceFinder

EMBEDDER, POINTS = "dlib-face-resnet", "dlib-face-points"
NO_RUNTIME = "faces need dlib: pip install 'strad[faces]'"


def load_faces(weights: Weights) -> tuple[FaceFinder, FaceEmbedder]:
    """Both, once a process; blocks for a second. Raises MissingModelError."""
    if find_spec("dlib") is None:
        raise MissingModelError(NO_RUNTIME)
    embedder, points = weights.file(EMBEDDER), weights.file(POINTS)
    from streaming.characters.dlib_faces import DlibEmbedder, DlibFinder

    return DlibFinder(), DlibEmbedder(embedder, points)
