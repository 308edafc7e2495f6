"""A viewer on the socket: what it sees, from where, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from service.app import create_app
from service.settings import Limits, Settings
from tests.service.fakes import Workshop

pytestmark = pytest.mark.service

HELLO = {"type": "hello", "version": 1, "container": "webm", "delay": 12.0}
SETTINGS = Settings(describer="every-window", limits=Limits(viewers=2, drain=1.0))


def service(settings: Settings = SETTINGS) -> TestClient:
    app = create_app(settings, Workshop().equipment())
    return TestClient(app, base_url="http://127.0.0.1")


def publish(client: TestClient, letters: bytes, name: str = "news") -> list[dict[str, Any]]:
    """A whole stream; what its publisher was told."""
    with client.websocket_connect(f"/v1/streams/{name}/media") as socket:
        socket.send_json(HELLO)
        socket.send_bytes(letters)
        socket.send_json({"type": "finish"})
        return everything(socket)[0]


def everything(socket: WebSocketTestSession) -> tuple[list[dict[str, Any]], WebSocketDisconnect]:
    """All that comes, and how it closes."""
    seen: list[dict[str, Any]] = []
    while True:
        try:
            seen.append(socket.receive_json())
        except WebSocketDisconnect as closed:
            return seen, closed


def watch(client: TestClient, query: str = "") -> tuple[list[dict[str, Any]], WebSocketDisconnect]:
    with client.websocket_connect(f"/v1/streams/news/events{query}") as socket:
        return everything(socket)


def test_a_viewer_who_waits_sees_all_from_live_to_end() -> None:
    with service() as client, client.websocket_connect("/v1/streams/news/events") as viewer:
        hello = viewer.receive_json()
        summary = publish(client, b"qqqqqqqqqq")[-1]
        seen, closed = everything(viewer)
    assert (hello["state"], hello["last"], hello.get("about")) == ("waiting", 0, None)
    assert [m["state"] for m in seen if m["type"] == "state"] == ["live", "draining", "ended"]
    ads = [m for m in seen if m["type"] == "ad"]
    assert len(ads) == summary["events"] >= 1
    assert all(ad["draft"] for ad in ads)
    assert [m["seq"] for m in seen] == list(range(1, len(seen) + 1))
    assert seen[-1]["type"] == "end"
    assert seen[-1]["summary"]["events"] == summary["events"]
    assert closed.code == 1000


def test_a_viewer_who_comes_late_sees_what_was_said() -> None:
    with service() as client:
        publish(client, b"qqqqqqqqqq")
        seen, _ = watch(client)
        hello, *log = seen
        again, _ = watch(client, f"?after=3&log={hello['log']}")
    assert hello["state"] == "ended"
    assert hello["about"]["describer"] == "every-window"
    assert hello["last"] == len(log)
    assert again[1:] == log[3:]


def test_a_place_in_another_log_means_the_beginning() -> None:
    with service() as client:
        publish(client, b"qqqqqqqqqq")
        first, _ = watch(client)
        publish(client, b"qqqqqqqq")
        seen, _ = watch(client, f"?after=5&log={first[0]['log']}")
        fresh, _ = watch(client)
    assert seen[0]["log"] != first[0]["log"]
    assert seen[1:] == fresh[1:]


def test_a_place_past_the_end_gives_nothing_twice() -> None:
    with service() as client:
        publish(client, b"qqqqqq")
        whole, _ = watch(client)
        log = whole[0]["log"]
        seen, closed = watch(client, f"?after={whole[-1]['seq']}&log={log}")
        beyond, _ = watch(client, f"?after=100000&log={log}")
    assert [m["type"] for m in seen] == [m["type"] for m in beyond] == ["hello"]
    assert closed.code == 1000


@pytest.mark.parametrize("query", ["?after=-1", "?after=x", "?after=1e3"])
def test_a_place_that_is_no_number_is_refused(query: str) -> None:
    with service() as client, pytest.raises(WebSocketDisconnect) as refused:
        watch(client, query)
    assert refused.value.code == 1008


def test_more_viewers_than_there_is_room_for_are_refused() -> None:
    with (
        service() as client,
        client.websocket_connect("/v1/streams/a/events") as one,
        client.websocket_connect("/v1/streams/b/events") as two,
        client.websocket_connect("/v1/streams/news/events") as three,
    ):
        assert one.receive_json()["type"] == two.receive_json()["type"] == "hello"
        seen, closed = everything(three)
    assert (seen, closed.code) == ([], 1013)


def test_a_viewer_who_leaves_makes_room() -> None:
    with service() as client:
        for _ in range(5):
            with client.websocket_connect("/v1/streams/news/events") as viewer:
                assert viewer.receive_json()["type"] == "hello"
                viewer.close()
        assert client.get("/v1/streams").json() == {"streams": []}


def test_what_a_viewer_says_is_answered_and_too_much_of_it_ends_it() -> None:
    with service() as client, client.websocket_connect("/v1/streams/news/events") as viewer:
        assert viewer.receive_json()["type"] == "hello"
        viewer.send_json({"type": "filter", "id": "f1"})
        answer = viewer.receive_json()
        for _ in range(30):
            viewer.send_bytes(b"\0" * 1_000)
        _, closed = everything(viewer)
    assert (answer["type"], answer["answers"], answer["fatal"]) == ("error", "f1", False)
    assert closed.code == 1002


def test_only_the_newest_messages_are_kept() -> None:
    with service(Settings(describer="every-window", limits=Limits(max_log=3))) as client:
        publish(client, b"qqqqqqqqqqqqqqqq")
        seen, closed = watch(client)
    last = seen[0]["last"]
    assert last > 3
    assert [m["seq"] for m in seen[1:]] == list(range(last - 2, last + 1))
    assert closed.code == 1000


def test_only_so_many_ended_streams_are_remembered() -> None:
    with service(Settings(describer="every-window", limits=Limits(remembered=2))) as client:
        for name in ("a", "b", "c"):
            publish(client, b"qq", name)
        listed = client.get("/v1/streams").json()["streams"]
        missing = client.get("/v1/streams/a/descriptions.vtt")
        there = client.get("/v1/streams/c/descriptions.vtt")
    assert [line["stream"] for line in listed] == ["b", "c"]
    assert (missing.status_code, there.status_code) == (404, 200)
    assert there.headers["content-type"].startswith("text/vtt")


def test_health_says_ok() -> None:
    with service() as client:
        assert client.get("/healthz").json() == {"status": "ok"}
