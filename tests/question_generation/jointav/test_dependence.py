"""Dependence on both modalities is measured: answerers of known ability over planted items."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from itertools import cycle

import pytest

from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.jointav.dependence import Dependence, Measured
from question_generation.jointav.evidence import ALONE
from question_generation.jointav.general import GENERAL
from strad.errors import InputError
from strad_engines.engine_errors import EngineBusyError
from strad_engines.messages import Generated, Message
from strad_engines.scripted_engine import Line
from tests.question_generation.at_hand import answer, desk
from tests.question_generation.jointav.material import words_of
from tests.question_generation.jointav.planted import TRUTHS, Truth, made_joint, planted
from tests.question_generation.jointav.reader import (
    Guess,
    Reader,
    always_a,
    by_chance,
    says_none,
    the_longest,
)

pytestmark = pytest.mark.unit
ROLES = (*ALONE, "both", "judge")
ALONE_ONLY = Dependence(tries=0, together=False)


def reading(reader: Reader) -> Callable[[Sequence[Message]], Line]:
    return lambda messages: answer(letter=reader.letter(words_of(messages)[1]))


def measured(
    truth: Truth, number: int, reader: Reader, dependence: Dependence = ALONE_ONLY
) -> Measured:
    draft = planted(truth, number)
    with desk(reading(reader), *ROLES, record=draft.id) as at:
        return asyncio.run(dependence.measure(draft, at))


def is_right(truth: Truth, found: Measured) -> bool:
    """Who reads can also see and hear; else only those who can, solve it."""
    wanted: tuple[str, ...] = {"text-only": ALONE, "joint": ()}.get(truth, (truth,))
    return found.solved_by == wanted


@pytest.mark.parametrize("slips", [0.0, 0.15])
def test_planted_items_are_classified(slips: float) -> None:
    guesses = cycle((by_chance, says_none, always_a))
    wrong = {truth: 0 for truth in TRUTHS}
    for truth in TRUTHS:
        for number in range(20):
            reader = Reader(next(guesses), slips)
            wrong[truth] += not is_right(truth, measured(truth, number, reader))
    assert sum(wrong.values()) <= 4, wrong
    assert all(count <= 1 for count in wrong.values()), wrong


def test_both_together_solve_what_neither_solves_alone() -> None:
    found = measured("joint", 1, Reader(), Dependence(tries=0))
    assert found.solved_by == ()
    assert found.asked["both"].solved
    assert found.asked["both"].rate.share == 1.0


@pytest.mark.parametrize("guess", [says_none, always_a])
def test_who_knows_nothing_has_the_rate_of_one_who_guesses_or_none(guess: Guess) -> None:
    rate = measured("joint", 2, Reader(guess)).asked["audio-only"].rate
    assert rate.asked == 8
    assert rate.right == (2 if guess is always_a else 0)
    assert rate.unanswered == (0 if guess is always_a else 8)


def test_a_liking_for_the_right_option_counts_as_solving() -> None:
    """An option that stands out is no good, whatever the reason: the docs say what it costs."""
    lost = [measured("joint", n, Reader(the_longest)).solved_by != () for n in range(24)]
    assert 1 <= sum(lost) <= 14


def test_no_usable_answer_is_never_right_and_never_left_out() -> None:
    draft = planted("vision-only", 1)
    with desk(lambda _: Generated("I can't say."), *ROLES) as at:
        found = asyncio.run(ALONE_ONLY.measure(draft, at))
    for given in ALONE:
        assert found.asked[given].rate.unanswered == found.asked[given].rate.asked == 8


def test_a_model_that_cannot_be_had_decides_nothing() -> None:
    with (
        desk(lambda _: EngineBusyError("out of reach"), *ROLES) as at,
        pytest.raises(EngineBusyError),
    ):
        asyncio.run(ALONE_ONLY.work(planted("joint", 1), at))


def test_so_few_rounds_that_nothing_can_be_told_are_refused() -> None:
    with pytest.raises(InputError, match="more rounds"):
        Dependence(rounds=1)


def test_a_solved_item_is_refined_and_measured_again() -> None:
    bad = planted("text-only", 3)
    wrong = [option for option in bad.options if option != bad.answer]
    question = made_joint(bad)

    def script(messages: Sequence[Message]) -> Line:
        system, user = words_of(messages)
        if "You mend" in system:
            assert "read question and options" in system
            return answer(question=question, answer=bad.answer, explanation="As seen.", wrong=wrong)
        if "watching and listening" in system:
            return answer(seen="a man", heard="words", both_needed=True)
        if "go together" in system:
            return answer(complete=True, supported=True, concrete=True, why="")
        return answer(letter=Reader().letter(user))

    found = worked(Dependence(checks=GENERAL), script)
    assert isinstance(found, Item)
    assert found.flags == ("refined",)
    assert found.question == question
    prompts = {made.prompt for made in found.provenance}
    assert {"jointav-refine.v1", "jointav-modality.v1", "jointav-quality.v1"} <= prompts


def test_what_cannot_be_mended_is_dropped_with_its_reason() -> None:
    bad = planted("text-only", 3)
    wrong = [option for option in bad.options if option != bad.answer]
    asked = []

    def script(messages: Sequence[Message]) -> Line:
        system, user = words_of(messages)
        if "You mend" in system:
            asked.append(user)
            return answer(
                question=bad.question, answer=bad.answer, explanation="As seen.", wrong=wrong
            )
        return answer(letter=Reader().letter(user))

    found = worked(Dependence(tries=2), script)
    assert isinstance(found, Drop)
    assert found.reason == "solved with one modality: text-only, vision-only, audio-only"
    assert len(asked) == 2


def test_what_is_written_anew_has_to_pass_the_checks_again() -> None:
    bad = planted("text-only", 3)
    wrong = [option for option in bad.options if option != bad.answer]

    def script(messages: Sequence[Message]) -> Line:
        system, user = words_of(messages)
        if "You mend" in system:
            return answer(question="What is it?", answer="a bird", explanation="x", wrong=wrong)
        if "watching and listening" in system:
            return answer(seen="", heard="words", both_needed=False)
        return answer(letter=Reader().letter(user))

    found = worked(Dependence(checks=GENERAL), script)
    assert isinstance(found, Drop)
    assert "one modality only" in found.detail


def worked(stage: Dependence, script: Callable[[Sequence[Message]], Line]) -> Item | Drop:
    """What becomes of a text-only item."""
    with desk(script, *ROLES) as at:
        found = asyncio.run(stage.work(planted("text-only", 3), at))
    return found if isinstance(found, Drop) else found[0]
