"""Everybody has one name, and none before the programme gives it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.tasks.document.mentions import Cast
from tests.streaming.tasks.document.people import person

pytestmark = pytest.mark.unit

ANNA = person(
    "p1", "the woman in red", "Anna", 60.0, ("Annie", "Mrs. Keller"), ("Beth",), ("woman in red",)
)
BO = person("p2", "a tall man", "Bo", 10.0)
STRANGER = person("p3", "the old man")
CAST = Cast([ANNA, BO, STRANGER])


@pytest.mark.parametrize(
    ("text", "t", "said"),
    [
        ("Anna sits down.", 59_999, "The woman in red sits down."),
        ("Anna sits down.", 60_000, "Anna sits down."),
        ("Annie sits down.", 60_000, "Anna sits down."),
        ("Beth sits down.", 60_000, "Anna sits down."),
        ("He looks at Annie's hands.", 0, "He looks at the woman in red's hands."),
        ("The woman in red sits down.", 60_000, "Anna sits down."),
        ("A woman in red sits down.", 0, "A woman in red sits down."),
        ("Anna, a woman in red, sits down.", 0, "The woman in red sits down."),
        ("Anna, the woman in red, sits down.", 60_000, "Anna sits down."),
        ("He waves to the woman in red, Annie.", 60_000, "He waves to Anna."),
        ("A tall man, Bo, waves to Anna, Mrs. Keller, and waits.", 0,
         "A tall man waves to the woman in red and waits."),
        ("The man waits. Anna leaves.", 0, "The man waits. The woman in red leaves."),
        ("Annabel waits.", 60_000, "Annabel waits."),
        ("Anna, Bo and the old man wait.", 60_000, "Anna, Bo and the old man wait."),
    ],
)  # fmt: skip
def test_people_are_called_what_they_are_called_by_then(text: str, t: int, said: str) -> None:
    assert CAST.reword(text, t).text == said


def test_who_was_described_and_has_a_name_now_is_called_by_both_once() -> None:
    first = CAST.reword("Annie sits down. Anna smiles.", 60_000, frozenset())
    assert first.text == "Anna, the woman in red, sits down. Anna smiles."
    assert CAST.reword("Annie sits down.", 60_000, first.named).text == "Anna sits down."
    assert (
        CAST.reword("He sees Annie.", 60_000, frozenset()).text == "He sees Anna, the woman in red."
    )
    assert CAST.reword("Annie sits down.", 0, frozenset()).text == "The woman in red sits down."


def test_what_may_mean_two_people_is_left_as_it_is() -> None:
    cast = Cast([person("p1", "the man in black", "Al", 0.0), person("p2", "the man in black")])
    assert cast.reword("The man in black runs.", 9_000).text == "The man in black runs."
    assert (
        Cast([person("p1", "the man", "Al", 0.0)]).reword("The man runs.", 9).text
        == "The man runs."
    )


def test_a_name_that_one_person_only_was_guessed_to_have_is_the_others() -> None:
    cast = Cast([person("p1", "the old man", unproven=("Bo",)), BO])
    assert cast.reword("Bo runs.", 10_000).text == "Bo runs."
    assert cast.too_early("Bo runs.", 10_000) == []
    assert cast.too_early("Bo runs.", 9_999) == ["Bo"]


PIECES = st.sampled_from(
    ["Anna", "Annie", "Mrs. Keller", "Beth", "Bo", "the woman in red", "A tall man", "the old man",
     "walks to", "and", ",", ".", "looks at", "'s", "(", "42", "Annabel"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12), st.integers(0, 90_000), st.booleans())
def test_no_name_is_said_too_early_and_only_one_later(
    pieces: list[str], t: int, introduces: bool
) -> None:
    text = " ".join(pieces).replace(" ,", ",").replace(" .", ".").replace(" 's", "'s")
    said = CAST.reword(text, t, frozenset() if introduces else None)
    words = set(re.findall(r"\w+", said.text))
    assert not words & {"Annie", "Keller", "Beth"}
    assert t >= 60_000 or "Anna" not in words
    assert t >= 10_000 or "Bo" not in words
    assert CAST.too_early(said.text, t) == []
    assert CAST.reword(said.text, t).mentioned == said.mentioned
    assert CAST.as_ids(CAST.reword(text, t).text).split() == CAST.as_ids(text).split() or introduces


@given(st.text(max_size=60), st.integers(0, 90_000))
def test_other_texts_stay_as_they_are(text: str, t: int) -> None:
    if not any(ref.casefold() in text.casefold() for ref in ("ann", "keller", "bo", "beth", "man")):
        assert CAST.reword(text, t).text == text
