"""The checks of single tasks: what each lets pass, changes, and drops with which reason."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.drop import Drop
from question_generation.jointav.check import JUDGE, Check
from question_generation.jointav.draft import Draft
from question_generation.jointav.general import GENERAL
from question_generation.jointav.particular import PARTICULAR
from tests.question_generation.at_hand import answer, desk
from tests.question_generation.jointav.parts import draft, line, part

pytestmark = pytest.mark.unit
FILM = (
    part(1, line(1, "A man opens a door."), line(2, "Close it.", "dialogue")),
    part(2, line(11, "A dog barks at him."), line(12, "'Quiet!' is said in fear.", "vocal traits")),
    part(3, line(21, "He falls."), line(22, "Help me.", "dialogue")),
    part(4, line(31, "A nurse runs in."), line(32, "Who is it?", "dialogue")),
)
CHECKS = {check.name: check for check in (*GENERAL, *PARTICULAR)}


def became(check: Check, item: Draft, **said: Any) -> Draft | Drop:
    with desk([answer(**said)], JUDGE) as at:
        return asyncio.run(check.of(item, at))


def asked(task: str, answer_: str = "A nurse", question: str = "What is it?") -> Draft:
    return draft(task, question, answer_, FILM)


def named(drop: Draft | Drop) -> str:
    assert isinstance(drop, Drop)
    return drop.reason


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"seen": "a man", "heard": "words", "both_needed": True}, ""),
        ({"seen": "a man", "heard": "words", "both_needed": False}, "one modality"),
        ({"seen": "", "heard": "words", "both_needed": True}, "one modality"),
    ],
)
def test_modality(said: dict[str, Any], reason: str) -> None:
    found = became(CHECKS["modality-check"], asked("AVDM"), **said)
    assert isinstance(found, Draft) if not reason else reason in named(found)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("complete", "the answer does not fit the question"),
        ("supported", "the explanation does not lead to the answer"),
        ("concrete", "the explanation guesses"),
    ],
)
def test_quality_names_what_is_wrong(bad: str, reason: str) -> None:
    said = {"complete": True, "supported": True, "concrete": True, "why": "so", bad: False}
    assert named(became(CHECKS["quality-check"], asked("AVDM"), **said)) == reason


@pytest.mark.parametrize(
    ("quote", "seen_too", "reason"),
    [
        ("said in fear", False, ""),
        ("said in fear", True, "what is heard can be seen as well"),
        ("A dog barks", False, "the answer rests on nothing that is heard"),
        ("", False, "the answer rests on nothing that is heard"),
        ("said in joy", False, "the answer rests on nothing that is heard"),
    ],
)
def test_audio_needs_a_line_that_is_there_and_unseen(
    quote: str, seen_too: bool, reason: str
) -> None:
    found = became(CHECKS["audio-check"], asked("SPER"), quote=quote, seen_too=seen_too)
    assert isinstance(found, Draft) if not reason else named(found) == reason


def test_another_answer_makes_it_ambiguous_and_the_same_one_does_not() -> None:
    check = CHECKS["ambiguity-check"]
    assert isinstance(became(check, asked("SOER"), others=["a nurse.", " "]), Draft)
    assert "something else" in named(became(check, asked("SOER"), others=["the dog"]))


def test_checks_pass_over_what_they_are_not_about() -> None:
    item = asked("STL")
    for name in ("audio-check", "ambiguity-check", "interval-check", "sequence-check"):
        assert became(CHECKS[name], item) is item


@given(st.integers(0, 6), st.integers(0, 6))
def test_intervals_keep_what_is_needed_and_never_all(first: int, last: int) -> None:
    found = became(CHECKS["interval-check"], asked("CSA"), first=first, last=last)
    if 1 <= first < last <= 4 and (first, last) != (1, 4):
        assert isinstance(found, Draft)
        assert [one.number for one in found.parts] == list(range(first, last + 1))
        assert found.segment == ((first - 1) * 10.0, last * 10.0)
    else:
        assert named(found) == "no interval to ask about"


@given(st.integers(0, 6), st.integers(0, 6))
def test_a_prediction_is_cut_before_its_event(first: int, event: int) -> None:
    found = became(CHECKS["interval-check"], asked("PDP"), first=first, event=event)
    if 1 <= first < event <= 4:
        assert isinstance(found, Draft)
        assert found.segment == ((first - 1) * 10.0, (event - 1) * 10.0)
        assert all(one.number < event for one in found.parts)
    else:
        assert named(found) == "no interval to ask about"


def elements(*found: tuple[str, str, str]) -> list[dict[str, str]]:
    return [{"label": a, "kind": b, "quote": c} for a, b, c in found]


RIGHT = elements(
    ("a", "visual", "a nurse runs in"),
    ("b", "dialogue", "Close it"),
    ("c", "vocal traits", "Quiet! is said"),
)


def test_a_wrong_order_over_parts_is_put_right_and_says_so() -> None:
    item = asked("MPO", "(a)(b)(c)", "Order of (a) x, (b) y, (c) z?")
    found = became(CHECKS["sequence-check"], item, elements=RIGHT)
    assert isinstance(found, Draft)
    assert found.answer == "(b)(c)(a)"
    assert found.flags == ("order corrected",)
    assert "(b) in segment 1" in found.rationale


def test_a_wrong_order_within_a_scene_is_dropped() -> None:
    item = asked("VSSR", "(a)(b)(c)", "Order of (a) x, (b) y, (c) z?")
    assert named(became(CHECKS["sequence-check"], item, elements=RIGHT)) == "the order is wrong"


def test_an_element_that_is_quoted_but_not_there_is_dropped() -> None:
    item = asked("MPO", "(b)(c)(a)", "Order of (a) x, (b) y, (c) z?")
    told = [*RIGHT[:2], {"label": "c", "kind": "visual", "quote": "a cat"}]
    assert "nowhere" in named(became(CHECKS["sequence-check"], item, elements=told))
