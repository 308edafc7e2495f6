"""Embedders by the names that a command line has for them."""

from __future__ import annotations

from question_generation.embeddings.both import Both
from question_generation.embeddings.embedder import Embedder
from question_generation.embeddings.mini_lm import MiniLm, minilm_is_here
from question_generation.embeddings.words import Words
from strad.errors import InputError
from strad_engines.weights import Weights

AUTO, BOTH, MINILM, WORDS = "auto", "both", "minilm", "words"
CHOICES = (AUTO, BOTH, MINILM, WORDS)


def embedder(name: str, weights: Weights | None = None) -> Embedder:
    """``auto``: both, where MiniLM's packages are installed, else words. Raises InputError."""
    at = weights or Weights(hub=False)
    if name not in CHOICES:
        raise InputError(f"no embedder {name!r}: choose {', '.join(CHOICES)}")
    if name == MINILM:
        return MiniLm(at)
    if name == BOTH or (name == AUTO and minilm_is_here(at)):
        return Both(MiniLm(at), Words())
    return Words()
