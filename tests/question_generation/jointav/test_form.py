"""The form of a question, its answer and its explanation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from question_generation.jointav.form import fault, stretch_of
from question_generation.jointav.tasks import tasks

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("code", "question", "answer", "reason"),
    [
        ("STL", "[Unavailable]", "x", "nothing to ask"),
        ("STL", "What is seen?", " ", "empty"),
        ("STL", "Tell me what is seen.", "a lamp", "not a question"),
        ("STL", "What is **seen**?", "a lamp", "markup"),
        ("STL", "What is the red lamp for?", "The red lamp", "stands in the question"),
        (
            "STL",
            "\u0427\u0442\u043e \u044d\u0442\u043e \u0437\u0434\u0435\u0441\u044c?",
            "a",
            "English",
        ),
        ("STL", "What " + "x" * 600 + "?", "a lamp", "too long"),
        ("PTG", "When do they meet?", "At noon", "no segments"),
        ("PTG", "When do they meet?", "Segment 5 to Segment 3", "no segments"),
        ("VSSR", "In which order?", "(a)(b)(c)", "does not name"),
        ("VSSR", "Order of (a) x, (b) y, (c) z, (d) w?", "(a)(b)(c)", "does not name"),
        ("VSSR", "Order of (a) x, (b) y, (c) z?", "(a)(b)", "no order"),
    ],
)
def test_faults_are_named(code: str, question: str, answer: str, reason: str) -> None:
    assert reason in fault(tasks()[code], question, answer, "Because.")


def test_stretches_are_read() -> None:
    assert stretch_of("Segment 3") == (3, 3)
    assert stretch_of("segment 3 to 5.") == (3, 5)
    assert stretch_of("Segment 3 to Segment 5") == (3, 5)


@given(st.sampled_from(sorted(tasks())), st.text(), st.text(), st.text())
def test_no_text_breaks_it(code: str, question: str, answer: str, explanation: str) -> None:
    assert isinstance(fault(tasks()[code], question, answer, explanation), str)
