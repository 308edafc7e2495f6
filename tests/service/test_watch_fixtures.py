"""What viewers of version 1 said is taken by today's server, and they are told what they were.

The conversations were recorded by tests/service/record_watching.py and are never written anew.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from strad.errors import ProtocolError
from strad.wire.asking import parse_from_viewer
from strad.wire.viewing import parse_for_viewer
from tests.service.record_watching import CONVERSATIONS
from tests.service.watch_conversations import FIXTURES, LOG, conversation, lines_of, messages

pytestmark = pytest.mark.service

NAMES = sorted(path.stem for path in FIXTURES.glob("watch-*.jsonl") if path.stem != LOG)


def test_there_is_a_conversation_of_each_kind() -> None:
    assert set(CONVERSATIONS) <= set(NAMES)


def test_every_message_of_the_log_is_still_read_as_it_was() -> None:
    for line, message in zip(lines_of(LOG), messages(), strict=True):
        assert holds(json.loads(message.to_json()), line)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_said_and_answered_is_still_read(name: str) -> None:
    refused = 0
    for line in lines_of(name):
        if "hear" in line:
            parse_for_viewer(json.dumps(line["hear"]))
        if "tell" in line:
            try:
                parse_from_viewer(json.dumps(line["tell"]))
            except ProtocolError:
                refused += 1
    assert refused == (2 if name == "watch-asking" else 0)


@pytest.mark.parametrize("name", NAMES)
def test_the_server_tells_what_it_told(name: str) -> None:
    recorded = lines_of(name)
    heard = asyncio.run(conversation(recorded))
    assert len(heard) == len(recorded)
    for now, then in zip(heard, recorded, strict=True):
        assert holds(_read(now), _read(then)), (now, then)


def _read(line: dict[str, Any]) -> dict[str, Any]:
    """A line of an event stream, with its data as what it means."""
    text = line.get("line", "")
    return {"data": json.loads(text.removeprefix("data: "))} if text.startswith("data: ") else line


def holds(now: Any, then: Any) -> bool:
    """Whether ``now`` is ``then``, with more fields perhaps."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(k in now and holds(now[k], v) for k, v in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)
