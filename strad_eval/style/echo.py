"""Rule 11: a description does not repeat what is being said (Microsoft's guidance)."""

from __future__ import annotations

LONGEST_SHARED = 4
"""Words in a row that description and speech may share; one more is an echo."""


def echoes(tokens: str, spoken: frozenset[str]) -> bool:
    """Whether a description shares too long a run of words with ``spoken``, made by ``runs``."""
    return not spoken.isdisjoint(runs(tokens))


def runs(tokens: str) -> frozenset[str]:
    """Every run of words that would be an echo."""
    words = tokens.split()
    n = LONGEST_SHARED + 1
    return frozenset(" ".join(words[i : i + n]) for i in range(len(words) - n + 1))
