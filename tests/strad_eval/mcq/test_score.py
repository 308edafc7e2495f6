"""Accuracy and its parts, worked by hand."""

from __future__ import annotations

import math

import pytest

from strad_eval.mcq.item import Item
from strad_eval.mcq.readings import McqReadings
from strad_eval.mcq.replies import Replies, Reply
from strad_eval.mcq.report import McqMade, mcq_document, mcq_sheet
from strad_eval.mcq.score import Accuracy, chance, score_replies
from strad_eval.mcq.verdict import Verdict

pytestmark = pytest.mark.eval

OPTIONS = ("On the table", "Under the bed", "Outside the house", "In a red car")
ITEMS = [
    Item("a", "v", "?", OPTIONS, 0, {"task": ("STL",), "audio": ("speech",)}),
    Item("b", "v", "?", OPTIONS, 1, {"task": ("AFA",), "audio": ("sound event", "music")}),
    Item("c", "w", "?", OPTIONS, 2, {"task": ("STL",), "audio": ("speech",)}),
    Item("d", "w", "?", OPTIONS, 3, {"task": ("STL",), "audio": ("speech",)}),
]


def _replies(**outputs: str) -> Replies:
    return Replies("toy", None, {id: Reply(id=id, output=text) for id, text in outputs.items()})


GIVEN = _replies(a="A", b="Answer: B", c="who knows")
"""Right, right, unparsed, and d is missing."""


def test_unparsed_and_missing_count_as_wrong_unless_a_reading_drops_them() -> None:
    score = score_replies(ITEMS, GIVEN, "jointav", McqReadings())
    assert score.verdicts == [Verdict.RIGHT, Verdict.RIGHT, Verdict.UNPARSED, Verdict.MISSING]
    assert score.overall == Accuracy(2, 4)
    papers = score_replies(ITEMS, GIVEN, "jointav", McqReadings(unparsed="drop"))
    assert papers.overall == Accuracy(2, 3)
    both = McqReadings(unparsed="drop", missing="drop")
    assert score_replies(ITEMS, GIVEN, "jointav", both).overall == Accuracy(2, 2)


def test_a_question_counts_in_each_of_its_audio_types() -> None:
    groups = score_replies(ITEMS, GIVEN, "jointav", McqReadings()).groups
    assert groups["audio"] == {
        "music": Accuracy(1, 1),
        "sound event": Accuracy(1, 1),
        "speech": Accuracy(1, 3),
    }
    assert groups["task"] == {"AFA": Accuracy(1, 1), "STL": Accuracy(1, 3)}


def test_the_order_shown_is_the_order_read() -> None:
    given = _replies(a="D")
    given.by_id["a"] = Reply(id="a", output="D", order=(3, 2, 1, 0))
    for benchmark in ("jointav", "cinepile"):
        score = score_replies(ITEMS[:1], given, benchmark, McqReadings())  # type: ignore[arg-type]
        assert score.overall == Accuracy(1, 1)


def test_raw_answers_are_compared_with_the_keys_text() -> None:
    given = _replies(a="On the table", b="Outside", c="", d="In a red car.")
    texts = score_replies(ITEMS, given, "cinepile", McqReadings()).texts
    # ROUGE-L 1, 0, 0, 1. CIDEr-D: a three-word text that is the key scores 7.5, four words 10.
    assert texts["ROUGE-L"] == pytest.approx(0.5)
    assert texts["CIDEr"] == pytest.approx((7.5 + 10) / 4)


def test_what_was_thought_aloud_is_no_answer() -> None:
    thought = "<think>\nIs it B? Answer: B\n</think>\n\nA"
    given = _replies(a=thought, b="<think>Answer: B", c="C", d="D")
    score = score_replies(ITEMS, given, "cinepile", McqReadings())
    assert [v.value for v in score.verdicts] == ["right", "unparsed", "right", "right"]
    kept = score_replies(ITEMS, given, "cinepile", McqReadings(thinking="keep"))
    assert [v.value for v in kept.verdicts] == ["wrong", "right", "right", "right"]


def test_intervals_are_wilsons() -> None:
    # n = 10, p = 0.5, z = 1.96: half 1.96 sqrt(0.025 + 0.0096) / 1.384 = 0.263
    low, high = Accuracy(5, 10).interval()
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert Accuracy(3, 3).interval()[1] == pytest.approx(1.0)
    assert all(math.isnan(value) for value in Accuracy(0, 0).interval())
    assert math.isnan(Accuracy(0, 0).value)
    assert chance(ITEMS) == 0.25


def test_models_stand_side_by_side_in_the_report() -> None:
    scores = [score_replies(ITEMS, GIVEN, "jointav", McqReadings())]
    scores.append(score_replies(ITEMS, _replies(), "jointav", McqReadings()))
    scores[1].name = "other"
    made = McqMade("jointav", McqReadings(), {}, {}, {})
    document = mcq_document(ITEMS, scores, made)
    assert document["systems"][0]["verdicts"]["c"] == "unparsed"
    sheet = mcq_sheet(document)
    assert sheet.grids[0].header == ("", "toy", "other")
    assert sheet.grids[0].rows[0] == ["Accuracy, %", 50.0, 0.0]
    assert sheet.grids[1].rows[0][:2] == ["AFA Audio Function Analysis", 1]
    assert "other: 4 questions without an answer" in sheet.odd
