"""Requests and their answers: each gets its own, and none waits for ever."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from clients.python import requests
from clients.python.connection import Connection
from clients.python.requests import Requests
from strad.errors import OverloadedError, PeerGoneError, ProtocolError
from strad.wire.answering import Error
from strad.wire.asking import AskMissed, AskScene
from strad.wire.viewing import Missed, Scene, Words

pytestmark = pytest.mark.unit


class Wire:
    """A connection that only takes."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    async def send(self, message: str | bytes, limit: float) -> None:
        del limit
        self.sent.append(json.loads(message))


def on(wire: Wire) -> Connection:
    return wire  # type: ignore[return-value]


def scene(answers: str) -> Scene:
    return Scene(answers=answers, at=1.0, draft=False, things=())


def test_answers_find_who_asked_in_any_order() -> None:
    async def go() -> None:
        asked, wire = Requests(), Wire()
        with asked.over(on(wire)):
            async with asyncio.TaskGroup() as tasks:
                first = tasks.create_task(asked.ask(AskScene(), Scene))
                second = tasks.create_task(asked.ask(AskMissed(after=1), Missed))
                await asyncio.sleep(0)
                missed = Missed(answers=wire.sent[1]["id"], ads=(), more=False)
                assert asked.answered(missed)
                assert not asked.answered(missed)
                assert asked.answered(scene(wire.sent[0]["id"]))
            assert (first.result().at, second.result()) == (1.0, missed)

    asyncio.run(go())


def test_what_answers_nobody_is_left_to_the_reader() -> None:
    asked = Requests()
    words = Words.model_validate_json(
        '{"words": [{"start": 0, "end": 1, "text": "so"}], "until": 1}'
    )
    assert not asked.answered(words)
    assert not asked.answered(scene("q1"))
    assert not asked.answered(Error(code="failed", message="the stream failed"))


def test_a_request_ends_with_its_connection_or_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        asked, wire = Requests(), Wire()
        with pytest.raises(PeerGoneError, match="no connection"):
            await asked.ask(AskScene(), Scene)
        with pytest.raises(ExceptionGroup) as broken:
            await break_off(asked, wire)
        assert broken.group_contains(PeerGoneError, match="broke")
        monkeypatch.setattr(requests, "ANSWER_LIMIT", 0.01)
        with asked.over(on(wire)), pytest.raises(PeerGoneError, match="no answer"):
            await asked.ask(AskScene(), Scene)

    asyncio.run(go())


async def break_off(asked: Requests, wire: Wire) -> None:
    """A connection that ends while somebody waits."""
    async with asyncio.TaskGroup() as tasks:
        with asked.over(on(wire)):
            tasks.create_task(asked.ask(AskScene(), Scene))
            await asyncio.sleep(0)


def test_a_refusal_is_raised_and_a_strange_answer_too() -> None:
    async def go(answer: Scene | Error, wanted: type[Missed]) -> None:
        asked, wire = Requests(), Wire()
        with asked.over(on(wire)):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(asked.ask(AskMissed(after=1), wanted))
                await asyncio.sleep(0)
                assert asked.answered(answer)

    for answer, error in (
        (Error(code="overloaded", message="full", fatal=False, answers="q1"), OverloadedError),
        (scene("q1"), ProtocolError),
    ):
        with pytest.raises(ExceptionGroup) as raised:
            asyncio.run(go(answer, Missed))
        assert raised.group_contains(error)
