"""The sample budget (StrAD, 5.1): a quarter waits, the rest is split evenly. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from fractions import Fraction

from training.example import Kind

Shares = Mapping[Kind, Fraction]

PAPER: Shares = {
    Kind.WAIT: Fraction(1, 4),
    Kind.SEGMENT: Fraction(3, 8),
    Kind.AD: Fraction(3, 8),
}
STREAMING_ALONE: Shares = {Kind.WAIT: Fraction(1, 4), Kind.AD: Fraction(3, 4)}
SEGMENTS_ALONE: Shares = {Kind.SEGMENT: Fraction(1)}


def counts(there: Mapping[Kind, int], shares: Shares, most: int | None = None) -> dict[Kind, int]:
    """How many of each kind to take of those that are there, at most ``most`` in all.

    As many as can be had in these shares, each to the nearest example; none if a kind is missing.
    """
    if any(not there.get(kind) for kind in shares):
        return dict.fromkeys(shares, 0)
    total = sum(there.get(kind, 0) for kind in shares)
    if most is not None:
        total = min(total, most)
    total = min([total, *(int((there.get(k, 0) + Fraction(1, 2)) / s) for k, s in shares.items())])
    while True:
        taken = _rounded(total, shares)
        if all(taken[kind] <= there.get(kind, 0) for kind in taken):
            return taken
        total -= 1


def _rounded(total: int, shares: Shares) -> dict[Kind, int]:
    """Whole numbers that sum to ``total``, by largest remainder."""
    exact = {kind: total * share for kind, share in shares.items()}
    whole = {kind: int(value) for kind, value in exact.items()}
    left = total - sum(whole.values())
    for kind in sorted(exact, key=lambda kind: whole[kind] - exact[kind])[:left]:
        whole[kind] += 1
    return whole


def drawn(keys: Iterable[str], count: int, seed: int) -> set[str]:
    """``count`` of them, the same whatever their order; of fewer, as many of the same."""
    return set(sorted(keys, key=lambda key: lot(seed, key))[:count])


def lot(seed: int, key: str) -> bytes:
    """A place in an order that is random and always the same."""
    return hashlib.sha256(f"{seed}/{key}".encode()).digest()
