"""Krippendorff's alpha on his own worked example, and on reviews."""

from __future__ import annotations

import math

import pytest

from question_generation.review.agreement import agreement, nominal_alpha
from question_generation.review.reviews import Review

pytestmark = pytest.mark.eval

OBSERVERS = (
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
)
"""Krippendorff 2011, section D: four observers, twelve units, a dot where one said nothing."""


def test_the_worked_example_comes_out() -> None:
    columns = zip(*(line.split() for line in OBSERVERS), strict=True)
    units = [[value for value in column if value != "."] for column in columns]
    assert nominal_alpha(units) == pytest.approx(0.743, abs=0.0005)


def test_nothing_to_compare_is_no_number() -> None:
    assert math.isnan(nominal_alpha([["a"], []]))
    assert math.isnan(nominal_alpha([["a", "a"], ["a", "a"]]))
    assert nominal_alpha([["a", "a"], ["b", "b"]]) == 1


def test_reviews_are_compared_question_by_question() -> None:
    def said(rater: str, item: str, answer: str, difficulty: int) -> Review:
        told = {"information": "yes", "av_dependency": "no", "verdict": "keep"}
        return Review.model_validate(
            {"rater": rater, "item": item, "answer": answer, "difficulty": difficulty, **told}
        )

    reviews = [
        said("a", "1", "yes", 1),
        said("b", "1", "yes", 1),
        said("a", "2", "no", 5),
        said("b", "2", "no", 5),
        said("a", "3", "no", 5),
    ]
    found = agreement(reviews)
    assert found["items_with_two_or_more"] == 2
    assert found["alpha"]["answer"] == 1
    assert found["alpha"]["difficulty"] == 1
    assert found["alpha"]["information"] is None
    assert found["said"]["answer"] == {"no": 3, "yes": 2}
