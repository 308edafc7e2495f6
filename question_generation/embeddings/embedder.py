"""What turns texts into vectors, and which of those there are is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (texts, dimensions), each row of length 1 (or of zeros, for a text that says nothing)."""


class Embedder(Protocol):
    """Texts that mean the same lie near each other. May take minutes: call it off the loop."""

    @property
    def name(self) -> str:
        """For settings: another name wherever the same texts may give something else."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """All at once: an embedder may learn from them what tells them apart."""
        ...
