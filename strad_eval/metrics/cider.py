"""CIDEr-D: how much of the reference's rarer n-grams a description shares.

Source: Vedantam et al. 2015, as ``pycocoevalcap.cider`` computes it (tests hold the two equal to
1e-9): clipped counts, a Gaussian on the difference in length with sigma 6, n from 1 to 4, times 10.
The length is the number of *bigrams*, as there. Written out here because that package is 104 MB,
most of it jars, and looks its document frequencies up n-gram by n-gram (docs/adr/0020).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

LONGEST = 4
SIGMA = 6.0
SCALE = 10.0

Pair = tuple[str, str]
"""Reference and description, as tokens joined by spaces."""
_Grams = tuple[dict[str, int], ...]
_Vector = tuple[tuple[dict[str, float], ...], tuple[float, ...], int]


def cider_d(pairs: Sequence[Pair], frequencies: Frequencies | None = None) -> list[float]:
    """The score of each pair, 0 to 10. Without ``frequencies`` the pairs' own references count.

    A single pair scores 0: each of its n-grams is in every document.
    """
    known = frequencies or Frequencies(reference for reference, _ in pairs)
    weigh = known.weigh
    return [_similarity(weigh(description), weigh(reference)) for reference, description in pairs]


class Frequencies:
    """In how many references each n-gram occurs, one reference a document."""

    def __init__(self, references: Iterable[str]) -> None:
        times: Counter[str] = Counter(references)
        count: Counter[str] = Counter()
        for reference, documents in times.items():
            for grams in _grams(reference):
                for gram in grams:
                    count[gram] += documents
        # An n-gram that no reference holds weighs as if one did.
        self._most = math.log(times.total()) if times else 0.0
        self._idf = {gram: self._most - math.log(held) for gram, held in count.items()}
        self._weighed: dict[str, _Vector] = {}

    def weigh(self, tokens: str) -> _Vector:
        """Its weighted n-grams and their length for each n, and its number of bigrams."""
        if tokens not in self._weighed:
            idf, most = self._idf.get, self._most
            vectors = tuple(
                {gram: count * idf(gram, most) for gram, count in grams.items()}
                for grams in _grams(tokens)
            )
            norms = tuple(math.sqrt(sum(w * w for w in vector.values())) for vector in vectors)
            self._weighed[tokens] = (vectors, norms, sum(_grams(tokens)[1].values()))
        return self._weighed[tokens]


def _similarity(description: _Vector, reference: _Vector) -> float:
    shared = 0.0
    for ours, theirs, our_norm, their_norm in zip(
        description[0], reference[0], description[1], reference[1], strict=True
    ):
        dot = sum(
            min(weight, theirs[gram]) * theirs[gram]
            for gram, weight in ours.items()
            if gram in theirs
        )
        shared += dot / (our_norm * their_norm) if our_norm and their_norm else dot
    apart = description[2] - reference[2]
    return SCALE * shared / LONGEST * math.exp(-(apart**2) / (2 * SIGMA**2))


@lru_cache(maxsize=65_536)
def _grams(tokens: str) -> _Grams:
    words = tokens.split()
    return tuple(
        Counter(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))
        for n in range(1, LONGEST + 1)
    )
