"""Planted questions are told apart by answerers of known ability, at least 95 in 100 rightly."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from question_generation.cinepile.drafted import Drafted
from question_generation.cinepile.exam import Exam, by_chance
from question_generation.cinepile.filters import (
    ANSWER,
    BLIND,
    DEGENERATE,
    LISTENER,
    READER,
    Degeneracy,
    Hardness,
    Release,
    VisionReliance,
)
from question_generation.drop import Drop
from question_generation.item import Item
from strad_engines.messages import Generated, Message
from tests.question_generation.cinepile.answerers import answerer, desk
from tests.question_generation.cinepile.planted import planted

pytestmark = pytest.mark.unit

ALL = (*BLIND, LISTENER, READER)
STEPS = (Degeneracy(), VisionReliance(), Hardness())


async def filtered(drafted: Drafted) -> Item:
    """The question after all three filters."""
    with desk({role: answerer(role) for role in ALL}, record=drafted.id) as at_hand:
        for step in STEPS:
            came = await step.work(drafted, at_hand)
            assert not isinstance(came, Drop)
            (drafted,) = came
    assert len(drafted.provenance) == len(ALL)
    return drafted.item


def kind_of(item: Item) -> str:
    """What the filters took it for."""
    if DEGENERATE in item.flags:
        return "degenerate"
    return "visual" if item.visual_reliance else "dialogue"


def test_planted_questions_are_told_apart() -> None:
    async def told() -> Counter[tuple[str, str]]:
        return Counter([(one.by, kind_of(await filtered(one.drafted))) for one in planted(300)])

    found = asyncio.run(told())
    for by in ("degenerate", "dialogue", "visual"):
        right, all_of = found[by, by], sum(n for (was, _), n in found.items() if was == by)
        assert all_of == 100
        assert right >= 95, found


def test_what_a_reader_of_everything_knows_is_not_hard() -> None:
    items = [asyncio.run(filtered(one.drafted)) for one in planted(30)]
    assert not any(item.hard for item in items)
    assert all(item.rates[READER].right == 5 for item in items)


def test_a_reader_that_says_nothing_usable_finds_everything_hard() -> None:
    def silent(_: Sequence[Message]) -> Generated:
        return Generated("I would rather not say.")

    (one,) = planted(1)
    with desk({READER: silent}) as at_hand:
        came = asyncio.run(Hardness().work(one.drafted, at_hand))
    assert not isinstance(came, Drop)
    assert came[0].item.hard is True
    rate = came[0].item.rates[READER]
    assert (rate.right, rate.asked, rate.unanswered) == (0, 5, 5)


def test_one_letter_always_is_right_once_in_five() -> None:
    (one,) = planted(1)
    with desk({LISTENER: lambda _: Generated('{"answer": "B"}')}) as at_hand:
        sat = asyncio.run(Exam(ANSWER).sit(one.drafted, "", at_hand, LISTENER))
    assert (sat.rate.right, sat.rate.asked) == (1, 5)


@pytest.mark.parametrize(("right", "p"), [(0, 1.0), (3, 0.05792), (4, 0.00672), (5, 0.00032)])
def test_chance_of_right_guesses(right: int, p: float) -> None:
    assert by_chance(right, 5, 0.2) == pytest.approx(p, abs=1e-5)


@pytest.mark.parametrize(("split", "stays"), [("train", True), ("test", False)])
def test_degenerate_questions_stay_in_the_training_split_alone(split: str, stays: bool) -> None:
    (one,) = planted(1)
    item = one.drafted.item.model_copy(update={"split": split}).flagged(DEGENERATE)
    with desk({}) as at_hand:
        came = asyncio.run(Release().work(one.drafted.holding(item), at_hand))
    assert isinstance(came, Drop) is not stays
