"""A describer that gives no answers: publisher and operator are told, each what is theirs."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from service.app import create_app
from service.settings import Limits, Settings
from tests.fakes import OutageDescriber
from tests.service.fakes import Workshop

pytestmark = pytest.mark.service

HELLO = {"type": "hello", "version": 1, "container": "webm", "delay": 12.0}
SETTINGS = Settings(describer="every-window", limits=Limits(hello=5.0, silence=5.0, grace=5.0))


def until(socket: WebSocketTestSession, kind: str, warnings: list[dict[str, Any]]) -> None:
    """To the next message of this kind; warnings on the way are kept."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == "warning":
            warnings.append(message)
        if message["type"] == kind:
            return


def test_an_outage_and_its_end_reach_everybody_and_the_log_has_no_words(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    warnings: list[dict[str, Any]] = []
    app = create_app(SETTINGS, Workshop(lambda: OutageDescriber(1, 3)).equipment())
    with (
        TestClient(app, base_url="http://127.0.0.1") as client,
        client.websocket_connect("/v1/streams/news/media") as socket,
    ):
        socket.send_json(HELLO)
        until(socket, "ready", warnings)
        for _ in range(10):
            socket.send_bytes(b"qqqq")  # four seconds of silence
            until(socket, "progress", warnings)
        socket.send_json({"type": "finish"})
        until(socket, "summary", warnings)
    down, up = warnings
    assert (down["code"], up["code"]) == ("describer-down", "describer-up")
    assert "the model is gone" not in down["message"]
    assert "no description since 0.0 s" in down["message"]
    assert "is back" in up["message"]
    lines = [record.message for record in caplog.records if record.name.startswith("service.")]
    assert "stream news: begins, described by every-window" in lines
    assert "stream news: the describer is down: the model is gone" in lines
    assert any(line.startswith("stream news: ends after 40.0 s of media: ") for line in lines)
    assert not any("falls" in line for line in lines)  # what the describer says
