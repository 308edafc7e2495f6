"""A publisher on the socket: what it may say, when, and what it is told."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from service.app import create_app
from service.settings import Limits, Settings
from strad.predictions import PREDICTIONS
from strad.wire.message import MAX_CONTROL
from tests.fakes import BrokenDescriber
from tests.service.fakes import HangingDescriber, Workshop

pytestmark = pytest.mark.service

HELLO = {"type": "hello", "version": 1, "container": "webm", "delay": 12.0}
PATIENT = Settings(describer="every-window")


def limited(**limits: float) -> Settings:
    """Where only these limits are short: on a busy machine any other would be over too soon."""
    return replace(PATIENT, limits=replace(Limits(), **limits))


@contextmanager
def publisher(
    workshop: Workshop | None = None,
    *,
    settings: Settings = PATIENT,
    hello: dict[str, Any] | None = HELLO,
    name: str = "news",
    headers: dict[str, str] | None = None,
) -> Iterator[tuple[WebSocketTestSession, TestClient]]:
    """A connected publisher that has said ``hello``, and the application's client."""
    app = create_app(settings, (workshop or Workshop()).equipment())
    with (
        TestClient(app, base_url="http://127.0.0.1") as client,
        client.websocket_connect(f"/v1/streams/{name}/media", headers=headers or {}) as socket,
    ):
        if hello is not None:
            socket.send_json(hello)
        yield socket, client


def answers(socket: WebSocketTestSession) -> tuple[list[dict[str, Any]], WebSocketDisconnect]:
    """All the service still says, but for progress, and how it closes."""
    said: list[dict[str, Any]] = []
    while True:
        try:
            message = socket.receive_json()
        except WebSocketDisconnect as closed:
            return said, closed
        if message["type"] != "progress":
            said.append(message)


def types(said: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in said]


def test_a_stream_is_described_drained_and_summed_up() -> None:
    workshop = Workshop()
    with publisher(workshop) as (socket, client):
        for letters in (b"qqqq", b"tt", b"qqqqqq"):
            socket.send_bytes(letters)
        socket.send_json({"type": "finish"})
        said, closed = answers(socket)
        track = client.get("/v1/streams/news/descriptions.vtt")
        lines = client.get("/v1/streams/news/descriptions.jsonl")
    assert types(said) == ["ready", "draining", "summary"]
    assert closed.code == 1000
    summary = said[-1]
    assert summary["live_edge"] == 12.0
    assert summary["events"] >= 1
    assert track.text.startswith("WEBVTT")
    assert track.text.count("-->") == summary["events"] - summary["withdrawn"]
    assert "Draft audio description" in track.text
    header, predictions = PREDICTIONS.read(lines.text.splitlines())
    assert header is not None
    assert (header.describer, header.draft) == ("every-window", True)
    assert {line.video_id for line in predictions} == {"news"}
    assert len(predictions) == track.text.count("-->")
    assert all(ears.closed for ears in workshop.ears)


def test_ready_says_what_was_agreed() -> None:
    hello = HELLO | {"delay": 8.5, "stride": 1.5, "describer": "every-window"}
    with publisher(hello=hello) as (socket, _):
        ready = socket.receive_json()
    assert (ready["stream"], ready["delay"], ready["stride"]) == ("news", 8.5, 1.5)
    assert ready["draft"] is True
    assert ready["max_message"] == PATIENT.limits.max_message


def test_progress_tells_the_live_edge_and_how_far_behind_the_cursor_is() -> None:
    with publisher() as (socket, _):
        socket.send_bytes(b"qqqqqqqq")
        socket.send_json({"type": "keepalive", "sent": 9.0})
        while (message := socket.receive_json()).get("live_edge", 0) < 8:
            pass
        assert message["behind"] == pytest.approx(9.0 - message["cursor"])


@pytest.mark.parametrize(
    ("hello", "code", "close", "words"),
    [
        (HELLO | {"version": 2}, "protocol", 1002, "speaks version 1, not 2"),
        (HELLO | {"container": "avi"}, "protocol", 1002, "hello.container"),
        (HELLO | {"delay": -1.0}, "protocol", 1002, "hello.delay"),
        (HELLO | {"describer": "oracle"}, "bad-input", 1008, "there is every-window"),
        (HELLO | {"gaps": "transcript", "transcript": "off"}, "bad-input", 1008, "hello.gaps"),
        ({"type": "finish"}, "protocol", 1002, "finish before hello"),
        ({"type": "greeting"}, "unknown-message", 1002, "unknown message type 'greeting'"),
    ],
)
def test_a_hello_that_cannot_be_met_is_refused_in_words(
    hello: dict[str, Any], code: str, close: int, words: str
) -> None:
    with publisher(hello=hello) as (socket, client):
        said, closed = answers(socket)
        assert client.get("/v1/streams").json() == {"streams": []}
    assert types(said) == ["error"]
    assert (said[0]["code"], said[0]["fatal"], closed.code) == (code, True, close)
    assert words in said[0]["message"]
    assert words in closed.reason


def test_media_before_hello_is_refused() -> None:
    with publisher(hello=None) as (socket, _):
        socket.send_bytes(b"qq")
        said, closed = answers(socket)
    assert said[0]["message"] == "media before hello"
    assert closed.code == 1002


def test_a_publisher_that_says_nothing_is_closed() -> None:
    with publisher(hello=None, settings=limited(hello=0.3)) as (socket, _):
        said, closed = answers(socket)
    assert (said[0]["code"], closed.code) == ("peer-gone", 1001)


def test_a_publisher_that_falls_silent_is_closed_and_its_stream_ended_in_time() -> None:
    with publisher(settings=limited(silence=1.0, grace=0.3)) as (socket, client):
        socket.send_bytes(b"qqqq")
        said, closed = answers(socket)
        with client.websocket_connect("/v1/streams/news/events") as viewer:
            seen, viewer_closed = answers(viewer)
    assert types(said) == ["ready", "error"]
    assert (said[-1]["code"], closed.code) == ("peer-gone", 1001)
    states = [message["state"] for message in seen if message["type"] == "state"]
    assert states == ["live", "interrupted", "draining", "ended"]
    assert (seen[-1]["type"], viewer_closed.code) == ("end", 1000)


def test_a_service_that_knows_no_words_listens_for_speech_only() -> None:
    app = create_app(PATIENT, replace(Workshop().equipment(), words=False))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        for gaps, first in (("transcript", "error"), ("union", "ready")):
            with client.websocket_connect("/v1/streams/news/media") as socket:
                socket.send_json(HELLO | {"gaps": gaps})
                assert socket.receive_json()["type"] == first


def test_a_name_no_stream_may_have_is_refused() -> None:
    with publisher(name="a%20b") as (socket, _):
        said, closed = answers(socket)
    assert (said[0]["code"], closed.code) == ("bad-input", 1008)


@pytest.mark.parametrize("kind", ["media", "events"])
def test_a_name_cannot_forge_lines_of_the_log(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    app = create_app(PATIENT, Workshop().equipment())
    path = f"/v1/streams/a%0Aforged%1B[2J/{kind}"
    with (
        caplog.at_level(logging.INFO),
        TestClient(app) as client,
        client.websocket_connect(path) as socket,
    ):
        answers(socket)
    ours = [r.getMessage() for r in caplog.records if r.name.startswith("service.")]
    assert len(ours) == 1
    assert ours[0].isprintable()


@pytest.mark.parametrize(
    ("text", "words", "named"),
    [
        ('{"type": "zap", "id": "m1"}', "unknown message type 'zap'", "m1"),
        ('{"type": "captions", "id": "m2", "until": NaN}', "finite", "m2"),
        ('{"type": "captions", "until": -1}', "greater than or equal to 0", "captions"),
        ('{"type": "captions", "id": "m3", "until": 3}', "hello.transcript", "m3"),
        (r'{"type": "\ud800"}', "hex escape", "?"),
        (r'{"type": "zap", "id": "\ud800x"}', "hex escape", "?x"),
        ("not json", "Invalid JSON", None),
        ("[]", "object", None),
        ("[" * 5_000, "recursion", None),
        ('"' + "x" * MAX_CONTROL + '"', "longer than", None),
        (json.dumps(HELLO), "a second time", "hello"),
    ],
)
def test_a_message_that_is_wrong_is_answered_and_the_stream_goes_on(
    text: str, words: str, named: str | None
) -> None:
    with publisher() as (socket, _):
        socket.send_text(text)
        socket.send_bytes(b"qqqq")
        socket.send_json({"type": "finish"})
        said, closed = answers(socket)
    assert types(said) == ["ready", "error", "draining", "summary"]
    error = said[1]
    assert words in error["message"]
    assert error.get("answers") == named
    assert error["fatal"] is False
    assert closed.code == 1000


def test_media_after_finish_is_refused_and_the_summary_comes() -> None:
    with publisher(Workshop(HangingDescriber), settings=limited(drain=2.0)) as (socket, _):
        socket.send_bytes(b"qqqq")
        socket.send_json({"type": "finish"})
        socket.send_bytes(b"qqqq")
        said, _ = answers(socket)
    refused = [m for m in said if m["type"] == "error"]
    assert [m["answers"] for m in refused] == ["media"]
    assert said[-1]["type"] == "summary"
    assert said[-1]["live_edge"] == 4.0


def test_too_many_wrong_messages_end_the_stream() -> None:
    with publisher() as (socket, _):
        for _ in range(60):
            socket.send_text("nonsense")
        said, closed = answers(socket)
    assert said[-1]["fatal"] is True
    assert closed.code == 1002


@pytest.mark.parametrize(
    ("letter", "code", "close"), [(b"x", "bad-media", 1003), (b"c", "decoder", 1011)]
)
def test_media_that_fails_ends_its_stream_and_nothing_else(
    letter: bytes, code: str, close: int
) -> None:
    with publisher() as (socket, client):
        socket.send_bytes(b"qqqq")
        with client.websocket_connect("/v1/streams/other/media") as other:
            other.send_json(HELLO)
            socket.send_bytes(letter)
            said, closed = answers(socket)
            other.send_bytes(b"qqqq")
            other.send_json({"type": "finish"})
            others, others_closed = answers(other)
        with client.websocket_connect("/v1/streams/news/events") as viewer:
            seen, viewer_closed = answers(viewer)
    assert (said[-1]["type"], said[-1]["code"], closed.code) == ("error", code, close)
    assert (others[-1]["type"], others_closed.code) == ("summary", 1000)
    assert [m["code"] for m in seen if m["type"] == "error"] == [code]
    assert seen[-1]["type"] == "end"
    assert viewer_closed.code == close


def test_a_describer_that_fails_waits_and_the_stream_goes_on() -> None:
    with publisher(Workshop(BrokenDescriber)) as (socket, _):
        socket.send_bytes(b"qqqq")
        socket.send_json({"type": "finish"})
        said, closed = answers(socket)
    assert said[-1]["waits"]["describer-failed"] >= 1
    assert closed.code == 1000


def test_what_cannot_be_said_within_the_drain_limit_is_given_up() -> None:
    with publisher(Workshop(HangingDescriber), settings=limited(drain=0.5)) as (socket, _):
        socket.send_bytes(b"qqqq")
        socket.send_json({"type": "finish"})
        said, closed = answers(socket)
    assert types(said) == ["ready", "draining", "warning", "summary"]
    assert said[2]["code"] == "drain-limit"
    assert closed.code == 1000


def test_notices_about_the_media_reach_publisher_and_viewers() -> None:
    with publisher() as (socket, client):
        socket.send_bytes(b"qqnqq")
        socket.send_json({"type": "finish"})
        said, _ = answers(socket)
        with client.websocket_connect("/v1/streams/news/events") as viewer:
            seen, _ = answers(viewer)
    for heard in (said, seen):
        assert [m["code"] for m in heard if m["type"] == "warning"] == ["size-change"]


def test_captions_take_the_place_of_recognition() -> None:
    workshop = Workshop()
    with publisher(workshop, hello=HELLO | {"transcript": "captions"}) as (socket, _):
        cue = {"start": 1.0, "end": 2.0, "text": "good evening"}
        socket.send_json({"type": "captions", "cues": [cue], "until": 5.0})
        socket.send_bytes(b"qqqqqqqq")
        socket.send_json({"type": "captions", "id": "late", "cues": [cue], "until": 9.0})
        socket.send_json({"type": "finish"})
        said, _ = answers(socket)
    assert [m["answers"] for m in said if m["type"] == "error"] == ["late"]
    assert [ears.recognise for ears in workshop.ears] == [False]
    words = {word.text for d in workshop.describers for w in d.asked for word in w.words}
    assert words == {"good", "evening"}


@pytest.mark.parametrize(
    "lost", ['{"x": "' + "x" * MAX_CONTROL + '"}', "{", '{"type": "captions"}']
)
def test_refused_captions_are_not_silence(lost: str) -> None:
    hello = HELLO | {"transcript": "captions", "gaps": "transcript"}
    with publisher(hello=hello) as (socket, _):
        socket.send_text(lost)
        socket.send_json({"type": "captions", "until": 20.0})
        socket.send_bytes(b"qqqqqqqqqqqq")
        socket.send_json({"type": "finish"})
        said, closed = answers(socket)
    assert (said[-1]["events"], closed.code) == (0, 1000)


def test_another_message_refused_costs_no_silence() -> None:
    hello = HELLO | {"transcript": "captions", "gaps": "transcript"}
    with publisher(hello=hello) as (socket, _):
        socket.send_text('{"type": "zap"}')
        socket.send_json({"type": "captions", "until": 20.0})
        socket.send_bytes(b"qqqqqqqqqqqq")
        socket.send_json({"type": "finish"})
        said, _ = answers(socket)
    assert said[-1]["events"] >= 1


def test_gaps_by_captions_alone_need_no_ears() -> None:
    workshop = Workshop()
    hello = HELLO | {"transcript": "captions", "gaps": "transcript"}
    with publisher(workshop, hello=hello) as (socket, _):
        socket.send_json({"type": "captions", "until": 20.0})
        socket.send_bytes(b"tttttttt")
        socket.send_json({"type": "finish"})
        said, _ = answers(socket)
    assert not workshop.ears
    assert said[-1]["events"] >= 1


def test_a_taken_stream_is_refused_to_a_second_publisher() -> None:
    with publisher() as (socket, client):
        assert socket.receive_json()["type"] == "ready"
        with client.websocket_connect("/v1/streams/news/media") as second:
            second.send_json(HELLO)
            said, closed = answers(second)
    assert "already being published" in said[0]["message"]
    assert (said[0]["code"], said[0]["retryable"], closed.code) == ("taken", True, 1013)


def test_no_room_for_another_stream_is_refused_as_retryable() -> None:
    settings = Settings(describer="every-window", limits=Limits(streams=1))
    with publisher(settings=settings) as (socket, client):
        assert socket.receive_json()["type"] == "ready"
        with client.websocket_connect("/v1/streams/other/media") as second:
            second.send_json(HELLO)
            said, closed = answers(second)
    assert (said[0]["retryable"], closed.code) == (True, 1013)


def test_a_name_can_be_used_again_after_its_end() -> None:
    with publisher() as (socket, client):
        socket.send_bytes(b"qqqqqqqq")
        socket.send_json({"type": "finish"})
        answers(socket)
        with client.websocket_connect("/v1/streams/news/media") as again:
            again.send_json(HELLO)
            again.send_bytes(b"qqqq")
            again.send_json({"type": "finish"})
            said, _ = answers(again)
        assert said[-1]["live_edge"] == 4.0
        (listed,) = client.get("/v1/streams").json()["streams"]
    assert listed["state"] == "ended"


def test_pages_of_other_sites_may_not_connect() -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        publisher(headers={"origin": "https://elsewhere.example"}),
    ):
        pass
    with publisher(headers={"origin": "http://localhost:3000"}) as (socket, _):
        assert socket.receive_json()["type"] == "ready"
