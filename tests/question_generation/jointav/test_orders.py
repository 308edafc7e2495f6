"""Orders of options: none twice, and in each round every option once at every place."""

from __future__ import annotations

from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.orders import orders
from strad.errors import InputError

pytestmark = pytest.mark.unit


@given(st.integers(2, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, factorial(n - 1)))))
def test_orders_are_balanced_and_unlike(case: tuple[int, int]) -> None:
    count, rounds = case
    found = orders(count, rounds)
    assert len(set(found)) == len(found) == count * rounds
    for at in range(0, len(found), count):
        for places in zip(*found[at : at + count], strict=True):
            assert sorted(places) == list(range(count))


def test_all_rounds_of_four_are_all_orders() -> None:
    assert len(orders(4, 6)) == 24


@pytest.mark.parametrize(("count", "rounds"), [(4, 7), (4, 0), (1, 1)])
def test_what_cannot_be_is_refused(count: int, rounds: int) -> None:
    with pytest.raises(InputError, match="rounds"):
        orders(count, rounds)
