"""CinePile's answers: letters, texts, and the one option that is mentioned."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.mcq.cinepile import mentioned, normalise, score
from strad_eval.mcq.item import Item
from strad_eval.mcq.verdict import Verdict

pytestmark = pytest.mark.eval

DARREN = Item(
    "q1",
    "v",
    "What action does Darren take after observing the broken sensor?",
    ("Calls for help", "Repairs it", "Panics", "Ignores it", "Suggests next steps"),
    4,
)
"""The paper's Table 4."""
REED = Item(
    "q3",
    "v",
    "How do Darren and Reed first interact with each other in the scene?",
    (
        "They argue",
        "They fight",
        "They exchange information",
        "They greet each other",
        "They ignore each other",
    ),
    2,
)


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("A", ("A", "")),
        (" **e** ", ("E", "")),
        ("F", (None, "F")),
        ("Answer: D, The Eiffel Tower", ("D", "The Eiffel Tower")),
        ("answer: (b) Repairs it", ("B", "Repairs it")),
        ("Answer: C)", ("C", "")),
        ("**Answer:** C. Panics", ("C", "Panics")),
        ("Well. Answer: E", ("E", "")),
        ("Answer: Because he can", (None, "Answer: Because he can")),
        ("A) Calls for help", (None, "A) Calls for help")),
        ("", (None, "")),
    ],
)
def test_letter_and_text_are_told_apart(output: str, found: tuple[str | None, str]) -> None:
    assert normalise(output, 5) == found


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("E", Verdict.RIGHT),
        ("Answer: E", Verdict.RIGHT),
        ("Answer: E) suggests NEXT steps", Verdict.RIGHT),
        ("Answer: E) Panics", Verdict.WRONG),  # the letter's text is another
        ("Answer: A) Suggests next steps", Verdict.WRONG),  # another letter, whatever the text
        ("suggests next steps", Verdict.RIGHT),
        ("B", Verdict.WRONG),
        ("I don't know", Verdict.UNPARSED),
    ],
)
def test_letter_and_text_must_both_be_right(output: str, verdict: Verdict) -> None:
    assert score(output, DARREN) is verdict


def test_one_option_that_is_mentioned_counts() -> None:
    said = "In the scene, Darren and Reed are seen walking together, and they exchange information"
    assert score(said, REED) is Verdict.RIGHT
    assert score(said, REED, rescue=False) is Verdict.UNPARSED
    # Table 4's first row, whose option is quoted in other words.
    assert score('"\n ) Darren calls for help."', DARREN) is Verdict.WRONG
    assert score("E) Suggests next steps.", DARREN) is Verdict.RIGHT
    assert score("He panics or repairs it", DARREN) is Verdict.UNPARSED


def test_an_option_inside_a_longer_one_is_not_mentioned() -> None:
    assert mentioned("It stands in the car park", ["In the car", "In the car park", "Out"]) == {1}
    assert mentioned("I don't know", ["No", "Yes"]) == set()
    assert mentioned("No (really)", ["(really)", "No."]) == {0, 1}
    assert mentioned("in the car, then in the car park", ["In the car", "In the car park"]) == {
        0,
        1,
    }


@given(st.text(max_size=60))
def test_any_answer_gets_a_verdict_and_rescue_never_takes_one_away(output: str) -> None:
    plain = score(output, DARREN, rescue=False)
    if plain is not Verdict.UNPARSED:
        assert score(output, DARREN) is plain
