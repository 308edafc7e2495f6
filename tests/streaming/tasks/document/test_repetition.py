"""What is said again is found, exact or nearly, by name or by look."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streaming.tasks.document.mentions import Cast
from streaming.tasks.document.repetition import SOON, Told
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
    told = Told(CAST, "en")
    told.add("a", before, 0)
    assert (told.repeats(now, 3_600_000) == "a") is again


@pytest.mark.parametrize(
    ("before", "now", "again"),
    [
        ("Anna walks into a hall and sits down on a chair.", "Anna enters the hall, sits.", True),
        ("The woman in red shuts the big door.", "Anna is closing the large door.", True),
        ("Anna stares at the photo.", "Anna watches a photograph.", True),
        ("Anna runs towards the small house.", "Anna is hurrying to the little home.", True),
        ("Anna picks up the gun.", "Anna grabs the pistol.", True),
        ("Anna picks up the gun.", "Anna grabs the cup.", False),
        ("Anna walks in.", "Anna walks out.", False),
        ("Anna enters the room.", "Bo enters the room.", False),
        ("Anna hugs Bo.", "Bo embraces Anna.", False),
        ("Anna runs left.", "Anna hurries right.", False),
        ("Anna puts on the coat.", "Anna takes off the coat.", False),
        ("Anna goes home.", "Anna runs off.", False),
    ],
)  # fmt: skip
def test_the_same_in_other_words_is_found_soon_after_and_not_later(
    before: str, now: str, again: bool
) -> None:
    told = Told(CAST, "en")
    told.add("a", before, 10_000)
    assert (told.repeats(now, 10_000 + SOON) == "a") is again
    assert told.repeats(now, 10_001 + SOON) is None
    other = Told(CAST, "de")
    other.add("a", before, 10_000)
    assert other.repeats(now, 10_000) is None


VOCABULARY = ["Anna", "Bo", "opens", "shuts", "the", "a", "door", "window", "red"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=1)


@given(st.lists(WORDS, max_size=8), st.data())
def test_whatever_was_said_is_a_repeat_when_it_comes_again(
    said: list[list[str]], data: st.DataObject
) -> None:
    told = Told(CAST, "en")
    for n, words in enumerate(said):
        told.add(str(n), " ".join(words), n)
    if said:
        again = " ".join(data.draw(st.sampled_from(said)))
        loud = again.upper().replace("ANNA", "Anna").replace("BO", "Bo")
        assert told.repeats(again, 3_600_000) is not None
        assert told.repeats(loud, 3_600_000) is not None
    assert len(told.nearest("the door", 3)) <= 3


def test_the_nearest_come_first() -> None:
    told = Told(CAST, "en")
    for id, text in (("a", "A cat."), ("b", "Anna opens the door."), ("c", "The door shuts.")):
        told.add(id, text, 0)
    assert told.nearest("The woman in red opens the door.", 2) == ["b", "c"]
