"""The review page over real HTTP: rate, mend, reject, go on, and whom it serves."""

from __future__ import annotations

from pathlib import Path

import pytest

from question_generation.review.reviews import ReviewsFile, reviews_in
from question_generation.review.site import ReviewSite
from tests.question_generation.serving import items, served

pytestmark = pytest.mark.service

GOOD = {
    "answer": "yes",
    "information": "no",
    "av_dependency": "unsure",
    "difficulty": "4",
    "verdict": "keep",
}


def site(home: Path, count: int = 3) -> ReviewSite:
    clip = home / "clip0.mp4"
    clip.write_bytes(bytes(range(200)))
    return ReviewSite(items(count), ReviewsFile(home / "reviews.jsonl"), {"clip0": clip})


def test_several_people_review_and_each_goes_on_where_they_stopped(tmp_path: Path) -> None:
    with served(site(tmp_path)) as client:
        assert "3 questions are waiting" in client.get("/").text
        assert client.post("/begin", data={"name": "no names with spaces"}).status_code == 422
        assert client.post("/begin", data={"name": "ann"}).headers["location"] == "/r/ann/0"
        page = client.get("/r/ann/0").text
        assert "What is &lt;0&gt;?" in page
        assert 'src="/media/0#t=1,65"' in page
        assert "two <strong>(said to be right)</strong>" in page
        assert client.get("/media/0", headers={"Range": "bytes=0-9"}).status_code == 206
        saved = client.post("/r/ann/0", data=GOOD)
        assert (saved.status_code, saved.headers["location"]) == (303, "/r/ann/1")
        mended = {
            **GOOD,
            "verdict": "fix",
            "question": "What was it?",
            "option-0": "one",
            "option-1": "2",
            "option-2": "three",
            "right": "2",
            "comment": " better ",
        }
        client.post("/r/ann/1", data=mended)
        client.post("/r/bob/0", data={**GOOD, "verdict": "reject", "difficulty": "1"})
        assert client.post("/begin", data={"name": "ann"}).headers["location"] == "/r/ann/2"
        assert "1 you have passed over" in client.get("/r/ann/3").text
    first, second, third = reviews_in(tmp_path / "reviews.jsonl")
    assert (first.rater, first.difficulty, first.mended) == ("ann", 4, None)
    assert second.mended is not None
    assert (second.mended.answer, second.comment) == ("three", "better")
    assert (third.rater, third.verdict) == ("bob", "reject")
    assert ReviewsFile(tmp_path / "reviews.jsonl").done("ann") == {"i0", "i1"}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"answer": ""}, "Please choose: Is the answer right"),
        ({"difficulty": "6"}, "Please choose: How difficult"),
        ({"verdict": "fix", "question": "Q?", "option-0": "a", "option-1": "a"}, "mended"),
        ({"verdict": "fix", "question": "", "right": "x"}, "mended"),
    ],
)
def test_an_incomplete_form_says_what_it_lacks_and_keeps_the_rest(
    tmp_path: Path, changed: dict[str, str], says: str
) -> None:
    with served(site(tmp_path)) as client:
        page = client.post("/r/ann/0", data={**GOOD, **changed})
        assert page.status_code == 422
        assert says in page.text
        assert '<div class="errors" id="errors" role="alert"' in page.text
        assert 'value="no" checked' in page.text
    assert not (tmp_path / "reviews.jsonl").exists()


def test_it_serves_this_computer_only(tmp_path: Path) -> None:
    with served(site(tmp_path)) as client:
        assert client.get("/", headers={"Host": "elsewhere.example"}).status_code == 403
        from_there = {"Origin": "http://elsewhere.example"}
        assert client.post("/r/ann/0", data=GOOD, headers=from_there).status_code == 403
        assert client.get("/none").status_code == 404
        assert client.get("/media/7").status_code == 404
        assert client.post("/r/ann/0", content=b"x" * 70_000).status_code == 400
        policy = client.get("/").headers["content-security-policy"]
        assert "default-src 'none'" in policy
    assert not (tmp_path / "reviews.jsonl").exists()
