"""The orders in which options are shown to an answerer: whole rounds of rotations. Pure."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, permutations
from math import factorial

from strad.errors import InputError


@lru_cache(maxsize=64)
def orders(count: int, rounds: int) -> tuple[tuple[int, ...], ...]:
    """``rounds`` times all rotations of ``count`` options, each round of another base order.

    No order comes twice, and in every round each option stands once at each place: whoever always
    says ``A``, or always the second, is right once a round. An order holds options' own places as
    they are shown. Raises InputError where there are not so many rounds.
    """
    if count < 2 or not 1 <= rounds <= factorial(count - 1):
        raise InputError(
            f"{count} options have {factorial(max(0, count - 1))} rounds, not {rounds}"
        )
    bases = islice(permutations(range(1, count)), rounds)
    return tuple(_rotated((0, *rest), by) for rest in bases for by in range(count))


def _rotated(base: tuple[int, ...], by: int) -> tuple[int, ...]:
    return base[by:] + base[:by]
