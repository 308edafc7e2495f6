"""JointAVBench's answers: every sign of a letter, and exactly one of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad_eval.mcq.item import Item
from strad_eval.mcq.jointav import score
from strad_eval.mcq.tasks import TASKS, code_of, groups_of
from strad_eval.mcq.verdict import Verdict

pytestmark = pytest.mark.eval

ITEM = Item("q", "v", "Where is it?", ("on the table", "under the bed", "Outside", "in a car"), 2)
PLAIN = (0, 1, 2, 3)


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("C", Verdict.RIGHT),
        ("C.", Verdict.RIGHT),
        ("(c)", Verdict.RIGHT),
        ("The answer is C", Verdict.RIGHT),
        ("Answer: 'C'", Verdict.RIGHT),
        ("C is correct", Verdict.RIGHT),
        ("I choose option C because", Verdict.RIGHT),
        ("I selected C", Verdict.RIGHT),
        ("'C' is the answer", Verdict.RIGHT),
        ("C. Outside", Verdict.RIGHT),
        ("It is Outside", Verdict.RIGHT),
        ("it is outside", Verdict.RIGHT),
        ("B", Verdict.WRONG),
        ("It is under the bed.", Verdict.WRONG),
        ("C. under the bed", Verdict.UNPARSED),  # letter and text disagree: two letters
        ("A or C", Verdict.UNPARSED),
        ("E", Verdict.UNPARSED),
        ("Cat", Verdict.UNPARSED),
        ("", Verdict.UNPARSED),
    ],
)
def test_exactly_one_letter_is_an_answer(output: str, verdict: Verdict) -> None:
    assert score(output, ITEM, PLAIN) is verdict


def test_a_one_word_answer_may_be_read_as_the_program_reads_it() -> None:
    assert score("Cat", ITEM, PLAIN, contains=True) is Verdict.RIGHT
    assert score("CAB", ITEM, PLAIN, contains=True) is Verdict.UNPARSED


@given(st.permutations(PLAIN))
def test_letters_mean_what_was_shown(order: list[int]) -> None:
    letter = "ABCD"[order.index(2)]
    assert score(f"The answer is {letter}", ITEM, order) is Verdict.RIGHT
    assert score("Outside", ITEM, order) is Verdict.RIGHT


def test_the_tasks_are_the_papers() -> None:
    assert len(TASKS) == 15
    assert {code_of("task10"), code_of("MPO"), code_of(" mpo ")} == {"MPO"}
    assert code_of("task3") is None
    assert groups_of("MPO", "plot")["dimension"] == ("plot",)
    assert groups_of("MPO", "temporal")["dimension"] == ("temporal",)
    assert groups_of("AFA", "plot")["audio"] == ("sound event", "music")
    spans = [task.span for task in TASKS.values()]
    assert [spans.count(span) for span in ("single", "multi", "full")] == [7, 5, 3]
