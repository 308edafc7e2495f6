"""The embedder that needs neither model nor library: the letters of texts, weighed by rarity. Pure.

Runs of three and four letters within words, hashed to a fixed number of places (TF-IDF). What was
misheard still shares most of its letters with what was said.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from question_generation.embeddings.embedder import Vectors

_WORD = re.compile(r"[^\W_]+")
RUNS = (3, 4)


@dataclass(frozen=True, slots=True)
class Letters:
    """An ``Embedder``. Rows have no more than ``places`` numbers: 16 kB a text."""

    places: int = 4096
    name: str = "letters 1"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See ``Embedder``. Each distinct text counts once for how rare a run of letters is."""
        known = {text: Counter(self._runs(text)) for text in dict.fromkeys(texts)}
        rare = self._rarity(list(known.values()))
        found = np.zeros((len(texts), self.places), np.float32)
        for at, text in enumerate(texts):
            counted = known[text]
            if counted:
                where = np.fromiter(counted, np.int64, len(counted))
                many = np.fromiter(counted.values(), np.float32, len(counted))
                found[at, where] = (1 + np.log(many)) * rare[where]
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        found /= lengths
        return found

    def _runs(self, text: str) -> list[int]:
        return [
            run % self.places for word in _WORD.findall(text.casefold()) for run in _hashed(word)
        ]

    def _rarity(self, counted: Sequence[Counter[int]]) -> Vectors:
        seen = np.zeros(self.places, np.float32)
        for one in counted:
            seen[np.fromiter(one, np.int64, len(one))] += 1
        found = np.log((1 + len(counted)) / (1 + seen)) + 1
        return found.astype(np.float32)


@lru_cache(maxsize=1 << 16)
def _hashed(word: str) -> tuple[int, ...]:
    """Runs of the word's letters, its edges marked."""
    edged = f" {word} "
    return tuple(
        crc32(edged[at : at + size].encode("utf-8", "surrogatepass"))
        for size in RUNS
        for at in range(max(1, len(edged) - size + 1))
    )
