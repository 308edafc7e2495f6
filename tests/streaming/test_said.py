"""What has been said, and what repeats it."""

from __future__ import annotations

import pytest

from strad.decision import Describe
from strad.timeline import Epoch
from streaming.said import REMEMBERED, Said, says_the_same
from tests.fakes import describe

pytestmark = pytest.mark.unit

START = Epoch(0, 0)


def said_at(start: int, text: str) -> Describe:
    return describe(text, start, start + 1_000)


DOOR = said_at(50_000, "A door opens.")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("A cat sits on a chair.", "a cat sits on a chair", True),
        ("A cat sits on a red chair now.", "A cat sits on a red chair.", True),
        ("A cat sits on a chair.", "A dog lies on a chair.", False),
        ("Text: Chapter 1, the long road home.", "Text: Chapter 2, the long road home.", False),
        ("", "", True),
    ],
)
def test_texts_say_the_same_but_for_a_word(one: str, other: str, same: bool) -> None:
    assert says_the_same(one, other) is same
    assert says_the_same(other, one) is same


def test_history_is_the_context_before_now_in_order() -> None:
    said = Said(context=10_000)
    for start in (30_000, 1_000, 25_000, 40_000):
        said.add(said_at(start, f"at {start}"), "en", START)
    texts = [c.text for c in said.history(34_000, START)]
    assert texts == ["at 25000", "at 30000"]


def test_after_a_seek_back_what_was_said_there_is_not_said_again() -> None:
    said = Said(context=120_000)
    said.add(DOOR, "en", START)
    back = Epoch(stream=300_000, player=40_000)
    assert said.repeats(DOOR, 305_000, back)
    assert said.history(305_000, back) == ()
    assert [c.when.start for c in said.history(312_000, back)] == [310_000]


def test_after_a_seek_far_away_it_may_be_said_again() -> None:
    said = Said(context=120_000)
    said.add(DOOR, "en", START)
    assert not said.repeats(DOOR, 60_000, Epoch(stream=55_000, player=900_000))


def test_what_was_dropped_is_not_remembered() -> None:
    said = Said(context=120_000)
    said.add(DOOR, "en", START)
    said.unsay(DOOR.forms)
    said.unsay(("Never said.",))
    assert not said.repeats(DOOR, 51_000, START)


def test_memory_is_bounded() -> None:
    said = Said(context=10_000_000)
    for n in range(2 * REMEMBERED):
        said.add(said_at(n, f"thing {n}"), "en", START)
    assert len(said.history(10_000, START)) == REMEMBERED
