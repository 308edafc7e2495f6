"""Questions and answers from files, and every way in which they may be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from strad.errors import FormatError, InputError
from strad_eval.mcq.questions import Benchmark, read_questions
from strad_eval.mcq.readings import McqReadings, mcq_readings
from strad_eval.mcq.replies import read_replies

pytestmark = pytest.mark.eval

CINEPILE = {
    "question": "Who enters?",
    "choices": ["Ann", "Bob", "Cy", "Di", "Ed"],
    "answer_key": "Bob",
    "answer_key_position": 1,
    "question_category": "Character and\nRelationship Dynamics",
    "hard_split": "True",
    "visual_reliance": "False",
    "yt_clip_link": "https://www.youtube.com/watch?v=abc&t=3",
    "subtitles": "Hello.",
}
JOINTAV = {
    "qid": "film_task1_0",
    "video_name": "film",
    "task": "STL",
    "question": "When is the key named?",
    "correct_answer": "At 2 s",
    "options": ["At 1 s", "At 2 s", "At 3 s", "At 4 s"],
    "segment_timestamp": [10, 45.5],
}
OURS = {
    "id": "q1",
    "video_id": "v",
    "question": "Who?",
    "options": ["A man", "A dog"],
    "answer_index": 1,
    "task": "task10",
    "hard": True,
    "segment": [0.0, 90.0],
}


def _read(path: Path, benchmark: Benchmark, *entries: Any, **changes: Any) -> Any:
    path.write_text("\n".join(json.dumps(entry) for entry in entries))
    return read_questions(path, benchmark, McqReadings(**changes))


def test_cinepiles_table_is_read_from_jsonl_json_and_csv(tmp_path: Path) -> None:
    (item, second) = _read(tmp_path / "q.jsonl", "cinepile", CINEPILE, CINEPILE)
    assert (item.id, second.id, item.video, item.key) == ("abc:1", "abc:2", "abc", "Bob")
    assert item.groups == {
        "category": ("Character and Relationship Dynamics",),
        "hard split": ("hard",),
        "reliance": ("dialogue",),
    }
    assert item.dialogue == "Hello."
    whole = tmp_path / "q.json"
    whole.write_text(json.dumps([CINEPILE]))
    assert read_questions(whole, "cinepile", McqReadings())[0] == item
    table = tmp_path / "q.csv"
    table.write_text(
        "question,choices,answer_key_position,hard_split,visual_reliance,question_category,videoID\n"
        "Who?,\"['Ann' 'Bob, or ''not'''\n \"\"Cy's\"\"]\",2.0,0,1,TEMP,xyz\n"
    )
    (one,) = read_questions(table, "cinepile", McqReadings())
    assert one.options[-1] == "Cy's"
    assert (one.answer, one.groups["reliance"]) == (2, ("visual",))


def test_jointavs_json_is_read_with_what_its_task_stands_for(tmp_path: Path) -> None:
    (item,) = _read(tmp_path / "q.jsonl", "jointav", JOINTAV)
    assert (item.answer, item.segment) == (1, (10.0, 45.5))
    assert item.groups["span"] == ("single",)
    assert item.groups["duration"] == ("20 to 40 s",)
    (other,) = _read(tmp_path / "q.jsonl", "jointav", JOINTAV, durations=(10.0, 30.0))
    assert other.groups["duration"] == ("30 s and more",)


def test_our_own_questions_go_with_either(tmp_path: Path) -> None:
    (item,) = _read(tmp_path / "q.jsonl", "jointav", {"strad": "questions", "version": 1}, OURS)
    assert item.groups["dimension"] == ("plot",)
    assert item.groups["hard split"] == ("hard",)
    assert item.groups["duration"] == ("60 s and more",)


@pytest.mark.parametrize(
    ("benchmark", "entry", "complaint"),
    [
        ("cinepile", {**CINEPILE, "answer_key_position": 5}, "q.jsonl:2: answer_key_position"),
        ("cinepile", {**CINEPILE, "answer_key_position": None}, "answer_key_position"),
        ("cinepile", {**CINEPILE, "choices": "Ann"}, "want a list of 2 to 26 options"),
        ("cinepile", {**CINEPILE, "question": ""}, "question: no text"),
        ("jointav", {**JOINTAV, "task": "task3"}, "no such task"),
        ("jointav", {**JOINTAV, "correct_answer": "At 9 s"}, "is 0 of the options"),
        ("jointav", {**JOINTAV, "segment_timestamp": [5, 1]}, "segment_timestamp: not a span"),
        ("jointav", JOINTAV, "two questions are called 'film_task1_0'"),
        ("jointav", [1], "not a question"),
    ],
)
def test_a_broken_question_is_refused_with_its_line(
    benchmark: Benchmark, entry: Any, complaint: str, tmp_path: Path
) -> None:
    good = CINEPILE if benchmark == "cinepile" else JOINTAV
    with pytest.raises(FormatError, match=complaint):
        _read(tmp_path / "q.jsonl", benchmark, good, entry)


def test_a_question_of_ours_without_its_answer_cannot_be_scored(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no answer_index"):
        _read(
            tmp_path / "q.jsonl", "jointav", {k: v for k, v in OURS.items() if k != "answer_index"}
        )
    key = tmp_path / "key.jsonl"
    key.write_text('{"strad": "answers", "version": 1}\n{"id": "q1", "answer_index": 1}')
    (item,) = read_questions(tmp_path / "q.jsonl", "jointav", McqReadings(), key)
    assert item.key == "A dog"
    empty = tmp_path / "e.jsonl"
    empty.write_text("\n")
    with pytest.raises(FormatError, match="no questions"):
        read_questions(empty, "jointav", McqReadings())


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (['{"id": "q9", "output": "A"}'], "r.jsonl:1: no question is called 'q9'"),
        (['{"id": "q1", "output": "A"}'] * 2, "r.jsonl:2: a second answer to 'q1'"),
        (['{"id": "q1", "output": "A", "order": [0, 0]}'], "not an order of 2 options"),
        (['{"id": "q1"}'], "output: Field required"),
        (["", '{"id": "q1", "output": 3}'], "r.jsonl:2"),
    ],
)
def test_broken_answers_are_refused_with_their_line(
    lines: list[str], complaint: str, tmp_path: Path
) -> None:
    items = _read(tmp_path / "q.jsonl", "jointav", OURS)
    path = tmp_path / "r.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(FormatError, match=complaint):
        read_replies(path, items)


def test_answers_to_no_question_may_be_left_out(tmp_path: Path) -> None:
    items = _read(tmp_path / "q.jsonl", "jointav", OURS)
    path = tmp_path / "r.jsonl"
    path.write_text('{"strad": "replies", "version": 1, "model": "m"}\n{"id": "q9", "output": "A"}')
    found = read_replies(path, items, ignore_unknown=True)
    assert (found.unknown, found.by_id) == (1, {})
    assert found.header is not None
    assert found.header.model == "m"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("x=1", "NAME from rescue"),
        ("mpo=both", "choose from plot, temporal"),
        ("durations=5,1", "must rise"),
        ("durations=0,1", "must rise"),
        ("durations=a", "could not convert"),
        ("durations=nan", "out of range"),
        ("rescue", "want NAME=VALUE"),
    ],
)
def test_readings_are_checked(change: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        mcq_readings((change,))
    assert mcq_readings(("durations=1,2.5",)).durations == (1.0, 2.5)
