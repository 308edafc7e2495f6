"""Questions in flight: answers are applied in media order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.decision import Wait, WaitReason
from strad.timeline import Epoch, Interval
from streaming.questions import Questions

pytestmark = pytest.mark.unit

WAIT = Wait(WaitReason.NOTHING_NEW)


@given(st.permutations(range(1, 7)))
def test_answers_are_applied_in_the_order_of_the_questions(order: list[int]) -> None:
    questions = Questions()
    for n in range(6):
        questions.ask(Interval(n, n + 1), Epoch(0, 0))
    applied = [q.id for number in order for q, _ in questions.answer(number, WAIT)]
    assert applied == [1, 2, 3, 4, 5, 6]
    assert questions.open == 0


def test_a_stray_or_second_answer_is_refused() -> None:
    questions = Questions()
    first = questions.ask(Interval(0, 1), Epoch(0, 0))
    second = questions.ask(Interval(1, 2), Epoch(0, 0))
    assert questions.answer(second, WAIT) == []
    for number in (second, 99):
        with pytest.raises(KeyError):
            questions.answer(number, WAIT)
    assert len(questions.answer(first, WAIT)) == 2
