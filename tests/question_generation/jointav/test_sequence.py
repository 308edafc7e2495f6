"""Orders of (a), (b), (c): found by quotes, judged by rules, put right where that is allowed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.sequence import (
    Element,
    Ordered,
    Unsound,
    find,
    judged,
    labels_in,
    other_orders,
    written,
)
from question_generation.scene import Kind
from tests.question_generation.jointav.parts import line, part

pytestmark = pytest.mark.unit

KINDS: tuple[Kind, ...] = ("visual", "dialogue", "vocal traits")
places = st.tuples(st.integers(1, 9), st.floats(0, 90, allow_nan=False))


def elements(*found: tuple[int, float] | None) -> list[Element]:
    return [Element(x, k, p) for x, k, p in zip("abc", KINDS, found, strict=True)]


@given(st.lists(places, min_size=3, max_size=3, unique_by=lambda p: p[0]), st.permutations("abc"))
def test_an_order_is_right_or_put_right(found: list[tuple[int, float]], stated: list[str]) -> None:
    right = tuple(x for _, x in sorted(zip(found, "abc", strict=True)))
    corrected = judged(elements(*found), written(stated), by="part", correct=True)
    assert corrected == Ordered(right, corrected=tuple(stated) != right)
    strict = judged(elements(*found), written(stated), by="part", correct=False)
    assert isinstance(strict, Ordered) == (tuple(stated) == right)


@pytest.mark.parametrize(
    ("found", "answer", "reason"),
    [
        (((1, 0.0), (1, 5.0), (3, 0.0)), "(a)(b)(c)", "together"),
        (((1, 0.0), None, (3, 0.0)), "(a)(b)(c)", "nowhere"),
        (((1, 0.0), (2, 5.0), (3, 0.0)), "(a)(b)", "not an order"),
        (((1, 0.0), (2, 5.0), (3, 0.0)), "(a)(b)(b)", "not an order"),
    ],
)
def test_what_is_no_order_is_refused(
    found: tuple[tuple[int, float] | None, ...], answer: str, reason: str
) -> None:
    told = judged(elements(*found), answer, by="part", correct=True)
    assert isinstance(told, Unsound)
    assert reason in told.reason


def test_one_kind_only_is_refused() -> None:
    same = [Element(x, "visual", (n, 0.0)) for n, x in enumerate("abc")]
    assert judged(same, "(a)(b)(c)", by="part", correct=True) == Unsound(
        "all elements are of one kind"
    )


def test_within_one_scene_times_tell() -> None:
    found = elements((1, 4.0), (1, 2.0), (1, 9.0))
    assert judged(found, "(b)(a)(c)", by="time", correct=False) == Ordered(("b", "a", "c"), False)


def test_the_first_line_of_the_kind_counts() -> None:
    film = (
        part(1, line(0, "He says: the Bridge is shut."), line(1, "A dog.", "dialogue")),
        part(2, line(12, "The bridge is shut!", "dialogue"), line(15, "the bridge is shut")),
    )
    assert find(film, "dialogue", "the bridge is shut") == (2, 12.0)
    assert find(film, "visual", "The bridge, is shut") == (1, 0.0)
    assert find(film, "visual", "ridge is") is None
    assert find(film, "visual", " ... ") is None


@given(st.permutations("abc"), st.integers(0, 99))
def test_other_orders_are_three_and_none_is_the_right_one(order: list[str], seed: int) -> None:
    others = other_orders(order, 3, Random(seed))
    assert len({*others, written(order)}) == 4
    assert all(sorted(labels_in(other)) == ["a", "b", "c"] for other in others)
