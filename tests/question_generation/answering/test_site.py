"""CinePile's study over real HTTP: consent, ten questions over two clips, accuracy, the audit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from question_generation.answering.answers import AnswersFile, Given, answers_in, drawn, results
from question_generation.answering.site import StudySite
from tests.question_generation.serving import items, served

pytestmark = pytest.mark.service


def test_a_participant_agrees_and_answers_ten_questions_over_two_clips(tmp_path: Path) -> None:
    path, all_items = tmp_path / "answers.jsonl", items(40, clips=4)
    with served(StudySite(all_items, AnswersFile(path))) as client:
        assert "random code" in client.get("/").text
        assert client.post("/consent", data={}).status_code == 422
        page = client.post("/consent", data={"agree": "yes"}).headers["location"]
        assert client.post(page, data={"item": "i0", "chosen": "9"}).status_code in (303, 422)
        for at in range(10):
            text = client.get(page).text
            assert f"Question {at + 1} of 10" in text
            asked = re.search(r'name="item" value="(i\d+)"', text)
            assert asked
            wanted = {"item": asked.group(1)}
            lacking = client.post(page, data=wanted)
            assert lacking.status_code == 422
            assert "Please choose one option" in lacking.text
            for _ in range(2):  # a form that is sent twice is one answer
                client.post(page, data={**wanted, "chosen": "1" if at < 7 else "0"})
        assert "Thank you" in client.get(page).text
        assert client.get("/p/00000000").headers["location"] == "/"
    given = answers_in(path)
    assert len(given) == 10
    clips = {one.id: one.video_id for one in all_items}
    assert len({clips[one.item] for one in given}) == 2
    found = results({one.id: one for one in all_items}, given)
    assert (found["participants"], found["answers"], found["accuracy"]) == (1, 10, 0.7)
    assert sum(group["asked"] for group in found["by_category"].values()) == 10
    assert [one["id"] for one in found["audit"]] == sorted(one.item for one in given[7:])
    assert found["audit"][0]["wrong_answers"] == {"A": 1}


def test_the_same_code_is_asked_the_same_and_others_other_things() -> None:
    all_items = items(60, clips=6)
    one, again, other = (drawn(all_items, code, 0) for code in ("aa", "aa", "bb"))
    assert one == again != other
    assert [item.video_id for item in one] == [one[0].video_id] * 5 + [one[5].video_id] * 5
    few = drawn(items(3), "aa", 0)
    assert len(few) == 3


def test_the_audit_tells_first_what_most_got_wrong() -> None:
    known = {one.id: one for one in items(2)}
    said = [("a", "i0", 0), ("b", "i0", 1), ("a", "i1", 2), ("b", "i1", 2), ("a", "gone", 1)]
    found = results(known, [Given(participant=p, item=i, chosen=c) for p, i, c in said])
    assert [one["id"] for one in found["audit"]] == ["i1", "i0"]
    assert found["by_category"]["Temporal"] == {"right": 0, "asked": 2, "accuracy": 0.0}
    assert results(known, [])["accuracy"] is None
