"""What publishers of version 1 said is taken by today's server; what they were told is read.

The conversations were recorded by tests/service/record_publishing.py and are never written anew.
"""

from __future__ import annotations

import asyncio
import base64
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from service.loading import live_media
from strad.errors import ProtocolError
from strad.wire.answering import Ready, Summary, parse_answer
from strad.wire.publishing import parse_from_publisher
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.publishing import LivePublisher, connected

pytestmark = pytest.mark.service

FIXTURES = Path(__file__).parents[1] / "fixtures" / "protocol-v1"
NAMES = sorted(path.stem for path in FIXTURES.glob("publish-*.jsonl"))
SLOW = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))


def lines_of(name: str) -> list[dict[str, Any]]:
    text = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_is_a_conversation_of_each_kind() -> None:
    wanted = {"publish-framed", "publish-least", "publish-refused", "publish-resumed"}
    assert {*wanted, "publish-whole"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_said_and_answered_is_still_read(name: str) -> None:
    refused = 0
    for line in lines_of(name):
        if "hear" in line:
            parse_answer(json.dumps(line["hear"]))
        if "tell" in line:
            try:
                parse_from_publisher(json.dumps(line["tell"]))
            except ProtocolError:
                refused += 1
    assert refused == (2 if name == "publish-refused" else 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_server_takes_it_as_it_did(name: str) -> None:
    lines = lines_of(name)
    equipment = Workshop().equipment()
    if name == "publish-framed":
        equipment = replace(equipment, media=live_media)

    async def go() -> list[Replay]:
        replays: list[Replay] = []
        async with live_service(equipment, SLOW) as live:
            for number in sorted({line["connection"] for line in lines}):
                part = [line for line in lines if line["connection"] == number]
                async with connected(live.address()) as publisher:
                    replays.append(Replay(publisher, replays[-1].token if replays else ""))
                    await replays[-1].play(part)
        return replays

    for number, replay in enumerate(asyncio.run(go()), 1):
        part = [line for line in lines if line["connection"] == number]
        assert replay.heard == [outline(line["hear"]) for line in part if "hear" in line]
        closed = [line["closed"] for line in part if "closed" in line]
        assert [replay.closed] == (closed or [None])


class Replay:
    """One connection of a conversation, said again."""

    def __init__(self, publisher: LivePublisher, token: str) -> None:
        self.token = token
        self.closed: int | None = None
        self._publisher = publisher

    @property
    def heard(self) -> list[tuple[str, str | None]]:
        said = [message for message in self._publisher.said if message["type"] != "progress"]
        return [outline(message) for message in said]

    async def play(self, lines: list[dict[str, Any]]) -> None:
        for index, line in enumerate(lines):
            match line:
                case {"tell": message}:
                    text = json.dumps(message).replace("{resume}", self.token)
                    await self._publisher.socket.send(text)
                    if index == 0:
                        self.token = (await self._publisher.until("ready"))["resume"]
                case {"media": data}:
                    await self._publisher.media(base64.b64decode(data))
                case {"lost": True}:
                    ready = parse_answer(json.dumps(self._publisher.said[0]))
                    assert isinstance(ready, Ready)
                    await self._publisher.until("progress", live_edge=ready.live_edge + 2.0)
                    self._publisher.break_off()
                case {"closed": _}:
                    _, self.closed = await self._publisher.rest()
                    last = parse_answer(json.dumps(self._publisher.said[-1]))
                    assert isinstance(last, Summary)
                case _:
                    pass


def outline(message: dict[str, Any]) -> tuple[str, str | None]:
    """What of a message must stay as it was."""
    return message["type"], message.get("answers")
