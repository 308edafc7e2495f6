"""Wrong options: three, unlike, well formed; and stretches of a film by rule."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.distractors import fault, same, shuffled, stretch_text, stretches
from tests.question_generation.jointav.parts import part

pytestmark = pytest.mark.unit

words = st.sampled_from(["the", "a", "lamp", "Door", "red", "old", "man", "is"])
texts = st.lists(words, min_size=1, max_size=4).map(" ".join)


@given(st.lists(texts, min_size=3, max_size=3), texts)
def test_what_passes_is_three_and_all_unlike(wrong: list[str], answer: str) -> None:
    if fault(wrong, answer) == "":
        four = [answer, *wrong]
        assert not any(same(a, b) for i, a in enumerate(four) for b in four[:i])
        assert sorted(shuffled(answer, wrong, Random(1))) == sorted(four)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (("a dog", "a cat"), "exactly 3"),
        (("a dog", "a cat", " "), "empty"),
        (("a dog", "the dog.", "a bird"), "are the same"),
        (("The Lamp", "a cat", "a bird"), "is the answer"),
        (("all of the above", "a cat", "a bird"), "other options"),
        (("None of these", "a cat", "a bird"), "other options"),
        (("B) a dog", "a cat", "a bird"), "label"),
        (("- a dog", "a cat", "a bird"), "label"),
        (("x" * 401, "a cat", "a bird"), "too long"),
    ],
)
def test_faults_are_named(wrong: tuple[str, ...], reason: str) -> None:
    assert reason in fault(wrong, "a lamp")


def test_options_that_differ_by_one_word_are_unlike() -> None:
    assert fault(("a red lamp", "a green lamp", "the lamp is red and green"), "a lamp") == ""


@given(st.integers(4, 12), st.data())
def test_stretches_are_of_the_film_and_not_the_answer(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, count))
    last = data.draw(st.integers(first, count))
    film = [part(number) for number in range(1, count + 1)]
    found = stretches(film, (first, last), Random(0))
    assert len({*found, stretch_text((first, last))}) == 4


def test_too_few_parts_give_too_few_stretches() -> None:
    assert len(stretches([part(1), part(2)], (1, 1), Random(0))) < 3
