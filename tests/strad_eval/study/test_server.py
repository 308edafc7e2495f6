"""The page over real HTTP: from agreeing to the last answer, and whom it serves."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from strad.errors import InputError
from strad_eval.study.ratings import RatingsFile, RatingsHeader, read_ratings
from strad_eval.study.server import Sitting, StudyServer
from tests.strad_eval.study.toy_study import toy

pytestmark = pytest.mark.eval

GOOD = {"clear": "5", "fitting": "4", "amount": "3", "wanted": "1", "preferred": "A"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ratings.jsonl"


def _sitting(path: Path, excerpts: int = 1) -> Sitting:
    film = path.with_name("film.mp4")
    film.write_bytes(bytes(range(200)))
    header = RatingsHeader(strad="ratings", version=1, study="toy <study>", seed=0)
    return Sitting(toy(excerpts), RatingsFile(path, header), {"film": film})


@pytest.fixture
def client(path: Path) -> Iterator[httpx.Client]:
    with StudyServer(_sitting(path)) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with httpx.Client(base_url=server.url, trust_env=False, timeout=10) as client:
                yield client
        finally:
            server.shutdown()
            thread.join(5)


def _begin(client: httpx.Client) -> str:
    """Agree; the participant's page."""
    answer = client.post("/consent", data={"agree": "yes"})
    assert answer.status_code == 303
    return answer.headers["location"]


def _token(client: httpx.Client, page: str) -> str:
    match = re.search(r'name="trial" value="([0-9a-f]+)"', client.get(page).text)
    assert match
    return match.group(1)


def test_all_pages_are_answered_and_each_answer_is_kept_at_once(
    client: httpx.Client, path: Path
) -> None:
    page = _begin(client)
    for number in range(1, 7):
        shown = client.get(page)
        assert f"<h1>Page {number} of 6</h1>" in shown.text
        sent = {**GOOD, "trial": _token(client, page), "comment": "\u2028<ok>"}
        assert client.post(page, data=sent).status_code == 303
        assert len(read_ratings(path)[1]) == number
    assert "Thank you" in client.get(page).text
    header, ratings = read_ratings(path)
    assert header is not None
    assert [rating.kind for rating in ratings] == ["scales"] * 3 + ["ab"] * 3
    assert {rating.participant for rating in ratings} == {page[3:]}


def test_nobody_begins_without_agreeing(client: httpx.Client) -> None:
    assert "toy &lt;study&gt;" in client.get("/").text
    refused = client.post("/consent", data={})
    assert refused.status_code == 422
    assert "please agree" in refused.text
    assert client.get("/p/00000000").headers["location"] == "/"


def test_an_incomplete_page_comes_back_with_what_was_answered(
    client: httpx.Client, path: Path
) -> None:
    page = _begin(client)
    sent = {**GOOD, "trial": _token(client, page), "clear": ""}
    answer = client.post(page, data=sent)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert answer.text.count(" checked") == 3
    assert not path.exists()


def test_a_page_sent_twice_counts_once(client: httpx.Client, path: Path) -> None:
    page = _begin(client)
    sent = {**GOOD, "trial": _token(client, page)}
    for _ in range(2):
        assert client.post(page, data=sent).status_code == 303
    assert len(read_ratings(path)[1]) == 1


def test_who_stopped_goes_on_with_the_code(client: httpx.Client, path: Path) -> None:
    page = _begin(client)
    client.post(page, data={**GOOD, "trial": _token(client, page)})
    again = client.post("/again", data={"code": f" {page[3:].upper()} "})
    assert again.headers["location"] == page
    assert client.post("/again", data={"code": "nobody"}).status_code == 422
    # After a restart, too.
    assert _sitting(path).known(page[3:])


def test_nothing_comes_from_elsewhere_and_other_sites_are_refused(client: httpx.Client) -> None:
    page = client.get(_begin(client))
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page.text)
    for name in ("/style.css", "/player.js"):
        assert "http" not in client.get(name).text
    assert client.get("/", headers={"host": "evil.example"}).status_code == 403
    origin = {"origin": "http://evil.example"}
    assert client.post("/consent", data={"agree": "yes"}, headers=origin).status_code == 403
    assert client.get("/../../etc/passwd").status_code == 404
    assert client.get("/media/9").status_code == 404
    for _ in range(5):
        refused = client.post("/consent", content=b"x" * 70_000)
        assert (refused.status_code, refused.headers["connection"]) == (400, "close")


def test_media_is_served_in_the_parts_a_player_asks_for(client: httpx.Client) -> None:
    whole = client.get("/media/0")
    assert (whole.status_code, len(whole.content)) == (200, 200)
    assert whole.headers["accept-ranges"] == "bytes"
    for asked, first, last in (("10-19", 10, 19), ("190-", 190, 199), ("-5", 195, 199)):
        part = client.get("/media/0", headers={"range": f"bytes={asked}"})
        assert part.status_code == 206
        assert part.content == bytes(range(first, last + 1))
        assert part.headers["content-range"] == f"bytes {first}-{last}/200"
    assert client.get("/media/0", headers={"range": "bytes=200-"}).status_code == 416


def test_another_studys_ratings_are_not_written_to(path: Path) -> None:
    path.write_text('{"strad": "ratings", "version": 1, "study": "other", "seed": 0}\n')
    with pytest.raises(InputError, match="another study, 'other'"):
        _sitting(path)


def test_a_port_that_is_taken_is_said_to_be(path: Path) -> None:
    with StudyServer(_sitting(path)) as one, pytest.raises(InputError, match="in use"):
        StudyServer(_sitting(path), one.server_port)
