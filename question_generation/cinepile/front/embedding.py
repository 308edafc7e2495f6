"""How clips are found: by letters, or an embedder of ``question_generation.embeddings``."""

from __future__ import annotations

from question_generation.cinepile.front.letters import Letters
from question_generation.embeddings.choose import MINILM, WORDS, embedder
from question_generation.embeddings.embedder import Embedder
from strad.errors import InputError

LETTERS = "letters"
EMBEDDERS = (LETTERS, WORDS, MINILM)


def embedder_of(name: str) -> Embedder:
    """Raises InputError for another name, MissingModelError for one that is not installed."""
    if name == LETTERS:
        return Letters()
    if name not in EMBEDDERS:
        raise InputError(f"no embedding {name!r}: choose {', '.join(EMBEDDERS)}")
    return embedder(name)
