"""The last words of questions, and segments as seconds of what is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.wording import AFTER, apart, named, question_of, worded
from tests.question_generation.jointav.parts import draft, part

pytestmark = pytest.mark.unit
FILM = tuple(part(number) for number in range(1, 7))


@pytest.mark.parametrize(
    ("task", "before", "after"),
    [
        (
            "SPL",
            "Where is the one who says 'Leave it' with an angry tone?",
            "Where is the one who says 'Leave it'?",
        ),
        (
            "SPL",
            "Where is the one who, in a low, trembling voice, says 'Go'?",
            "Where is the one who, says 'Go'?",
        ),
        ("SPL", "Where is the man with a hat?", "Where is the man with a hat?"),
        (
            "CSA",
            "Which words in other scenes explain the key?",
            "Which words in the remaining parts explain the key?",
        ),
        (
            "CSA",
            "A key is hidden in Segment 2. What explains it?",
            "A key is hidden in the scene. What explains it, judging by the remaining parts of the"
            " video?",
        ),
        ("PDP", "What will the brothers do next?", AFTER),
        ("STL", "What is seen with a calm tone?", "What is seen with a calm tone?"),
    ],
)
def test_each_task_has_its_words(task: str, before: str, after: str) -> None:
    assert question_of(task, before) == after


def test_segments_become_seconds_of_what_is_shown() -> None:
    shown = draft(
        "PTG",
        "When is it?",
        "Segment 3",
        FILM[1:],
        "Segment 4 to Segment 5",
        "segment 2",
        "Segment 6",
    )
    found = worded(shown)
    assert found is not None
    assert found.options == (
        "from 10 s to 20 s",
        "from 20 s to 40 s",
        "from 0 s to 10 s",
        "from 40 s to 50 s",
    )
    assert found.answer == found.options[0]


def test_a_segment_that_is_not_shown_cannot_be_worded() -> None:
    shown = draft("PTG", "When is it?", "Segment 9", FILM, "Segment 1", "Segment 2", "Segment 3")
    assert worded(shown) is None


def test_lists_of_segments_are_told_apart() -> None:
    assert apart("in segments 2 and 4") == "in Segment 2 and Segment 4"
    assert named(apart("segments 2 and 4, segment 5 to 6")) == {2, 4, 5, 6}


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=20), min_size=4, max_size=4))
def test_no_text_breaks_it(question: str, options: list[str]) -> None:
    unlike = {option.strip() for option in options if option.strip()}
    if len(unlike) == 4:
        answer, *wrong = sorted(unlike)
        found = worded(draft("STL", f"What is {question}?", answer, FILM, *wrong))
        assert found is None or found.answer in found.options
