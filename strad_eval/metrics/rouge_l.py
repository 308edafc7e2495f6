"""ROUGE-L: the longest common subsequence of tokens, as a score.

Source: Lin 2004 with beta 1.2, as ``pycocoevalcap.rouge`` computes it (tests hold the two equal),
but that an empty description scores 0 even against an empty reference.
"""

from __future__ import annotations

from functools import lru_cache

BETA = 1.2


@lru_cache(maxsize=65_536)
def rouge_l(reference: str, description: str) -> float:
    """0 to 1, of tokens joined by spaces."""
    theirs, ours = reference.split(), description.split()
    return score(common_subsequence(theirs, ours), len(theirs), len(ours))


def score(shared: int, reference: int, description: int) -> float:
    """The score of two lengths of which so many tokens are shared, in order."""
    if not shared:
        return 0.0
    precision, recall = shared / description, shared / reference
    return (1 + BETA**2) * precision * recall / (recall + BETA**2 * precision)


def common_subsequence(a: list[str], b: list[str]) -> int:
    """The length of the longest list that both hold in this order."""
    row = [0] * (len(b) + 1)
    for word in a:
        diagonal = 0
        for at, other in enumerate(b, start=1):
            above = row[at]
            row[at] = diagonal + 1 if word == other else max(above, row[at - 1])
            diagonal = above
    return row[-1]
