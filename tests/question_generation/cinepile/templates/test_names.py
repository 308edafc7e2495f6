"""Names out of questions: people, places, titles; what is no name stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.cinepile.templates.names import unnamed

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("asked", "without"),
    [
        ("Why is Rachel hiding in the bedroom?", "Why is someone hiding in the bedroom?"),
        (
            "What does Ross say to Rachel before Ross leaves?",
            "What does someone say to someone else before someone leaves?",
        ),
        ("What does Detective Lamar find in New York?", "What does the detective find in a place?"),
        ("Monica's brother shouts at Dr. House?", "Someone's brother shouts at the doctor?"),
        ("Who is Mrs. Van der Berg talking to?", "Who is the woman talking to?"),
        ("Who sank the Titanic on Monday?", "Who sank the thing on Monday?"),
        ("Where do the FBI agents take Tony?", "Where do the FBI agents take someone?"),
        (
            "Does Ann hate Bob, Cleo, Dan?",
            "Does someone hate someone else, a third person, a third person?",
        ),
        ("Who is Ann O'Hara's lawyer?", "Who is someone's lawyer?"),
    ],
)
def test_names_become_what_they_name(asked: str, without: str) -> None:
    assert unnamed(asked) == without


@pytest.mark.parametrize(
    "asked",
    [
        "What does the man in the red hat do after the phone rings?",
        "Why am I told that it is on TV on Sunday?",
        "What happens? Where do they go then?",
        "After the wedding, who leaves?",
        "",
    ],
)
def test_what_has_no_name_stays(asked: str) -> None:
    assert unnamed(asked) == asked


def test_names_that_are_known_are_found_in_any_letters() -> None:
    assert unnamed("what did leonard tell penny?", ["Leonard Hofstadter", "Penny"]) == (
        "What did someone tell someone else?"
    )
    assert unnamed("Describe Penny.", ["Penny"]) == "Describe someone."


@pytest.mark.parametrize(
    ("asked", "names", "without"),
    [
        ("Why does 007 follow Jaws?", ["007"], "Why does someone follow someone else?"),
        ("Where is 47 hiding?", ["Agent 47"], "Where is someone hiding?"),
        ("Who follows Agent 47 home?", ["Agent 47"], "Who follows the agent home?"),
    ],
)
def test_names_without_letters_are_names(asked: str, names: list[str], without: str) -> None:
    assert unnamed(asked, names) == without


@given(st.text(max_size=80), st.lists(st.text(max_size=8), max_size=3))
def test_any_names_may_be_listed(text: str, names: list[str]) -> None:
    assert "  " not in unnamed(text, [*names, *text.split()[:2]])


@given(st.text(max_size=80))
def test_any_text_is_taken_and_taken_twice_changes_nothing(text: str) -> None:
    once = unnamed(text)
    assert "  " not in once
    assert unnamed(once) == once
