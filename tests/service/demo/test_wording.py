"""Wording: which words of a description claim something, and which on-screen lines it reads."""

from __future__ import annotations

import pytest

from service.demo.wording import Claim, claims, without_quotes, words

pytestmark = pytest.mark.unit


def claimed(text: str) -> list[Claim]:
    return list(claims(words(text)))


def test_words_that_only_join_claim_nothing() -> None:
    assert claimed("There is a picture on the screen.") == []


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("A cat.", Claim("cat")),
        ("Two cats.", Claim("cats", 2, exact=True)),
        ("One person.", Claim("person", 1, exact=True)),
        ("Cats.", Claim("cats", 2)),
        ("At least two people are in view.", Claim("people", 2)),
        ("Several people.", Claim("people", 3)),
    ],
)
def test_numbers_are_claimed(text: str, claim: Claim) -> None:
    assert claimed(text) == [claim]


def test_a_number_ends_with_its_plural() -> None:
    assert claimed("Two cats and a cup") == [Claim("cats", 2, exact=True), Claim("cup")]


LINES = ("Part Two", "The River Road", "Oslo, 21 March 1998")


@pytest.mark.parametrize(
    "said",
    [
        "Text: The River Road.",
        "A title reads: TheRiverRoad",
        "Text: the river r0ad",
        "The sign says \u201cThe Rlver Road\u201d.",
    ],
)
def test_a_line_is_read_in_spite_of_small_slips(said: str) -> None:
    left, read = without_quotes(words(said), LINES)
    assert read == {"The River Road"}
    assert list(claims(left)) == []


def test_two_lines_are_read_one_by_one() -> None:
    left, read = without_quotes(words("Text: Part Two The River Road"), LINES)
    assert read == {"Part Two", "The River Road"}
    assert left == ["text"]


def test_what_is_not_on_screen_is_no_quote() -> None:
    left, read = without_quotes(words("Text: The Iron Bridge"), LINES)
    assert not read
    assert [claim.word for claim in claims(left)] == ["iron", "bridge"]


def test_numbers_in_a_line_are_part_of_it() -> None:
    left, read = without_quotes(words("Text: Oslo, 21 March 1998."), LINES)
    assert read == {"Oslo, 21 March 1998"}
    assert left == ["text"]
