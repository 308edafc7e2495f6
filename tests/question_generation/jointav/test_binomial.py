"""The test against guessing: worked by hand, counted out, and stopped early without harm."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.binomial import Significance, tail
from strad.errors import InputError

pytestmark = pytest.mark.unit


def test_tails_by_hand() -> None:
    assert tail(4, 4, 0.25) == pytest.approx(1 / 256)
    assert tail(3, 4, 0.25) == pytest.approx(13 / 256)
    assert tail(0, 12, 0.25) == 1.0


@given(st.integers(1, 5), st.data())
def test_tails_are_those_of_counting_all_outcomes(asked: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, asked))
    outcomes = list(product(range(4), repeat=asked))
    hits = sum(each.count(0) >= right for each in outcomes)
    assert tail(right, asked, 0.25) == pytest.approx(hits / len(outcomes))


def test_eight_of_twelve_are_more_than_guessing() -> None:
    test = Significance(12)
    assert test.needed == 8
    assert test.p(8) <= 0.01 / 3 < test.p(7)


def test_one_round_of_rotations_can_never_tell() -> None:
    with pytest.raises(InputError, match="more rounds"):
        Significance(4)
    assert Significance(8).needed == 7


def test_a_good_item_is_lost_less_often_than_alpha() -> None:
    test = Significance(12)
    assert 1 - (1 - test.p(test.needed)) ** 3 <= 0.01


@given(st.lists(st.booleans(), min_size=12, max_size=12))
def test_stopping_early_changes_no_verdict(answers: list[bool]) -> None:
    test = Significance(12)
    early = next(
        verdict
        for asked in (4, 8, 12)
        if (verdict := test.settled(sum(answers[:asked]), asked)) is not None
    )
    assert early is (sum(answers) >= test.needed)
