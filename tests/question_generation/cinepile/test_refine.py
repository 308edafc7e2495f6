"""Refinement: weak questions are rewritten until the student fails, and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from question_generation.cinepile.drafted import Drafted
from question_generation.cinepile.refine import REFINED, REWRITER, STUDENT, WEAK, Refine
from question_generation.drop import Drop
from strad_engines.messages import Generated, Message
from strad_engines.scripted_engine import Line
from tests.question_generation.at_hand import answer, said
from tests.question_generation.cinepile.answerers import Script, answerer, desk
from tests.question_generation.cinepile.planted import planted

pytestmark = pytest.mark.unit

OTHER = ["the ladder", "the cello", "the rifle", "the anchor", "the basket"]


def rewriter(good_from: int, asked: list[str]) -> Script:
    """Gives a question that hides its answer from its ``good_from``-th try on."""

    def script(messages: Sequence[Message]) -> Line:
        asked.append(said(messages))
        hint = "" if len(asked) >= good_from else " the rifle,"
        question = f"On try {len(asked)}, what is put on the cart,{hint} before the others?"
        return answer(question=question, options=OTHER, answer="C", rationale="It is seen.")

    return script


def refined(drafted: Drafted, writer: Script, student: Script | None = None) -> Drafted:
    scripts = {STUDENT: student or answerer("s"), REWRITER: writer}
    with desk(scripts, record=drafted.id) as at_hand:
        came = asyncio.run(Refine().work(drafted, at_hand))
    assert not isinstance(came, Drop)
    return came[0]


@pytest.fixture
def weak() -> Drafted:
    return next(one.drafted for one in planted(3) if one.by == "degenerate")


@pytest.fixture
def strong() -> Drafted:
    return next(one.drafted for one in planted(3) if one.by == "visual")


def test_a_question_the_student_fails_is_left_alone(strong: Drafted) -> None:
    asked: list[str] = []
    found = refined(strong, rewriter(1, asked))
    assert (found.item.question, found.item.flags, asked) == (strong.item.question, (), [])
    assert found.item.rates[STUDENT].asked == 5


def test_a_weak_question_is_rewritten_until_it_holds(weak: Drafted) -> None:
    asked: list[str] = []
    found = refined(weak, rewriter(3, asked))
    assert len(asked) == 3
    assert found.item.flags == (REFINED,)
    assert found.item.question.startswith("On try 3")
    assert found.item.answer == "the rifle"
    assert found.item.rates[STUDENT].right < 3
    assert "I read it." in asked[0], "the writer is told how the student found it"
    assert "${" not in asked[0]
    assert "{}" not in asked[0]


def test_what_never_holds_is_flagged_for_people(weak: Drafted) -> None:
    asked: list[str] = []
    found = refined(weak, rewriter(99, asked))
    assert len(asked) == 5
    assert found.item.flags == (WEAK,)
    assert found.item.question == weak.item.question


def test_a_writer_that_gives_nothing_usable_costs_its_tries(weak: Drafted) -> None:
    found = refined(weak, lambda _: Generated("no"))
    assert found.item.flags == (WEAK,)


def test_rotations_without_an_answer_count_as_not_right(weak: Drafted) -> None:
    turns = iter(range(99))
    reads = answerer("s")

    def often_silent(messages: Sequence[Message]) -> Line:
        return reads(messages) if next(turns) % 8 == 0 else Generated("")

    found = refined(weak, rewriter(1, []), often_silent)
    assert found.item.flags == ()
    rate = found.item.rates[STUDENT]
    assert rate.right == 2
    assert (rate.asked, rate.unanswered) == (5, 3)
