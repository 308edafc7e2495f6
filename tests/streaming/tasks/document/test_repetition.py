"""What is said again is found, exact or nearly, by name or by look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.tasks.document.mentions import Cast
from streaming.tasks.document.repetition import Told, told_of
from tests.streaming.tasks.document.people import person

pytestmark = pytest.mark.unit

CAST = Cast(
    [person("p1", "the woman in red", "Anna", 60.0), person("p2", "the tall man", "Bo", 9.0)]
)


@pytest.mark.parametrize(
    ("before", "now", "again"),
    [
        ("Anna opens the door.", "Anna opens the door.", True),
        ("Anna opens the door.", "Anna OPENS the door", True),
        ("The woman in red opens the door.", "Anna opens the door.", True),
        ("Anna slowly opens the old door.", "Anna opens the door.", True),
        ("Anna slowly opens an old black door.", "Anna so slowly opens an old black door.", True),
        ("Anna opens the door.", "Anna opens the door and runs into the dark garden.", False),
        ("Anna opens the door.", "Bo opens the door.", False),
        ("Anna looks at Bo.", "Bo looks at Anna.", False),
        ("Anna walks to the left of the room.", "Anna walks to the right of the room.", False),
        ("Room 12.", "Room 13.", False),
        ("Anna opens the door.", "", False),
    ],
)  # fmt: skip
def test_what_says_the_same(before: str, now: str, again: bool) -> None:
    told = told_of(CAST, [("a", before)])
    assert (told.repeats(now) == "a") is again


VOCABULARY = ["Anna", "Bo", "opens", "shuts", "the", "a", "door", "window", "red"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1)


@given(st.lists(WORDS, max_size=8), st.data())
def test_whatever_was_said_is_a_repeat_when_it_comes_again(
    said: list[list[str]], data: st.DataObject
) -> None:
    told = Told(CAST)
    for n, words in enumerate(said):
        told.add(str(n), " ".join(words))
    if said:
        again = " ".join(data.draw(st.sampled_from(said)))
        assert told.repeats(again) is not None
        assert told.repeats(again.upper().replace("ANNA", "Anna").replace("BO", "Bo")) is not None
    assert len(told.nearest("the door", 3)) <= 3


def test_the_nearest_come_first() -> None:
    told = told_of(CAST, [("a", "A cat."), ("b", "Anna opens the door."), ("c", "The door shuts.")])
    assert told.nearest("The woman in red opens the door.", 2) == ["b", "c"]
