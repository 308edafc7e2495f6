"""The embedder that needs no model: which words and pieces of words texts share.

Words, pairs of them, and the letters within words are weighed by how rare they are among the texts
given (TF-IDF), and brought down to a hundred directions (latent semantic analysis). It knows no
synonyms but those that the texts themselves use alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from question_generation.embeddings.embedder import Vectors
from strad.errors import MissingModelError


@dataclass(frozen=True, slots=True)
class Words:
    """An ``Embedder``."""

    dimensions: int = 100
    seed: int = 0
    name: str = "words 1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder``. Raises MissingModelError where scikit-learn is not installed."""
        unlike = {text: at for at, text in enumerate(dict.fromkeys(texts))}
        found = self._directions(list(unlike))
        return found[[unlike[text] for text in texts]]

    def _directions(self, texts: Sequence[str]) -> Vectors:
        """Of texts that are all unlike; of two or fewer, each has a direction of its own."""
        if len(texts) < 3:
            return np.eye(len(texts), self.dimensions, dtype=np.float32)
        counted = _counted(texts)
        most = min(self.dimensions, *counted.shape)
        found = _library("sklearn.decomposition").TruncatedSVD(most, random_state=self.seed)
        return _unit(np.asarray(found.fit_transform(counted), np.float32))


def _counted(texts: Sequence[str]) -> Any:  # noqa: ANN401 a sparse matrix of SciPy's
    text = _library("sklearn.feature_extraction.text")
    words = text.TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"[^\W_]+|\S", lowercase=True
    )
    letters = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    both = _library("sklearn.pipeline").FeatureUnion(
        [("words", words), ("letters", letters)], transformer_weights={"words": 1, "letters": 0.5}
    )
    return both.fit_transform([text or "." for text in texts])


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    found: Vectors = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return found


def _library(name: str) -> Any:  # noqa: ANN401
    if find_spec("sklearn") is None:
        raise MissingModelError("this needs scikit-learn: pip install 'strad[questions]'")
    return import_module(name)
