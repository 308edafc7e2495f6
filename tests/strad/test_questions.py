"""Questions and answer keys: written, read back the same, refused by line when broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.errors import FormatError
from strad.questions import ANSWERS, QUESTIONS, AnswerKey, AnswersHeader, Question, QuestionsHeader

pytestmark = pytest.mark.unit

GOOD: dict[str, Any] = {
    "id": "q1",
    "video_id": "v",
    "question": "Who enters?",
    "options": ["A boy", "A dog", "Nobody"],
    "answer_index": 1,
    "segment": [1.5, 4],
    "provenance": {"model": "m", "seed": 3},
    "rated": 5,
}

questions = st.builds(
    Question,
    id=st.just("q"),
    video_id=st.just("v"),
    question=st.just("Who?"),
    options=st.lists(st.sampled_from("abcdef"), min_size=2, unique=True).map(tuple),
    answer_index=st.none() | st.integers(0, 1),
    segment=st.none() | st.tuples(st.floats(0, 9), st.floats(9, 99)),
    hard=st.none() | st.booleans(),
)


@given(st.lists(questions, max_size=4))
def test_questions_round_trip(written: list[Question]) -> None:
    header = QuestionsHeader(strad="questions", version=1)
    assert QUESTIONS.read(QUESTIONS.write(written, header).split("\n")) == (header, written)


@given(st.lists(questions, max_size=4))
def test_their_keys_round_trip(written: list[Question]) -> None:
    keys = [key for question in written if (key := question.key())]
    header = AnswersHeader(strad="answers", version=1)
    assert ANSWERS.read(ANSWERS.write(keys, header).split("\n")) == (header, keys)
    assert all(isinstance(key, AnswerKey) for key in keys)


def test_unknown_fields_survive() -> None:
    (question,) = QUESTIONS.each([json.dumps(GOOD)])
    assert json.loads(question.line()) == GOOD
    assert question.key() == AnswerKey(id="q1", answer_index=1)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"options": ["A"]}, "options: .* at least 2"),
        ({"options": ["A", "A"]}, "two options are the same"),
        ({"options": ["A", " "]}, "options.1: "),
        ({"answer_index": 3}, "answer_index is beyond the options"),
        ({"answer_index": -1}, "answer_index: "),
        ({"segment": [4, 1]}, "segment: it ends before it starts"),
        ({"segment": [4]}, "segment"),
        ({"question": ""}, "question: "),
    ],
)
def test_a_bad_line_is_refused_by_its_number(change: dict[str, Any], what: str) -> None:
    lines = [json.dumps(GOOD), json.dumps(GOOD | change)]
    with pytest.raises(FormatError, match=what) as refusal:
        QUESTIONS.read(lines, file="q.jsonl")
    assert refusal.value.line == 2
