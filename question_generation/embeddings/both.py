"""What a text is about and how it is worded, side by side.

A model of meaning follows what questions are about, and hardly how they ask; the words do, and know
no synonyms (docs/adr/0076-templates-by-clustering.md has the figures).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from question_generation.embeddings.embedder import Embedder, Vectors

SHARE = 0.7
"""The length of the words' part beside the meaning's, which is 1."""


@dataclass(frozen=True, slots=True)
class Both:
    """An ``Embedder`` of two."""

    meaning: Embedder
    words: Embedder
    share: float = SHARE

    @property
    def name(self) -> str:
        """See ``Embedder``."""
        return f"{self.meaning.name} + {self.share:g} {self.words.name}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder``."""
        return beside(self.meaning.embed(texts), self.words.embed(texts), self.share)


def beside(meaning: Vectors, words: Vectors, share: float = SHARE) -> Vectors:
    """Both as one, each row of length 1."""
    found = np.hstack([meaning, share * words])
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return (found / np.where(lengths > 0, lengths, 1)).astype(np.float32)
