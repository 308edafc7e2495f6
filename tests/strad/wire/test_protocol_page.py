"""docs/protocol.md: its examples are messages, and its tables leave nothing out."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from strad.errors import StradError
from strad.wire.answering import ANSWER
from strad.wire.asking import ASK
from strad.wire.auth import parse_auth
from strad.wire.publishing import PUBLISHER_MESSAGE, Container
from strad.wire.viewing import VIEWER_MESSAGE, StreamState

pytestmark = pytest.mark.golden

PAGE = (Path(__file__).parents[3] / "docs/protocol.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"```jsonl (\S+)\n(.*?)```", PAGE, re.S))
ADAPTERS: dict[str, TypeAdapter[Any]] = {
    "wire-publishing": PUBLISHER_MESSAGE,
    "wire-answering": ANSWER,
    "wire-viewing": VIEWER_MESSAGE,
    "wire-asking": ASK,
}


@pytest.mark.parametrize("name", ADAPTERS)
def test_every_message_has_an_example_that_is_one(name: str) -> None:
    adapter = ADAPTERS[name]
    shown = set()
    for line in EXAMPLES[name].splitlines():
        message = adapter.validate_json(line)
        again = json.loads(message.to_json())
        assert {key: again[key] for key in json.loads(line)} == json.loads(line)
        shown.add(message.type)
    assert shown == set(adapter.json_schema()["discriminator"]["mapping"])


def test_the_auth_message_has_an_example() -> None:
    (line,) = EXAMPLES["wire-auth"].splitlines()
    message = parse_auth(line)
    assert json.loads(message.to_json()) == json.loads(line)
    assert message.token not in repr(message)


def test_every_error_code_has_its_close_code_on_the_page() -> None:
    rows = re.findall(r"^\| (\d{4}) \| (.*?) \|", PAGE, re.M)
    told = {code: int(row[0]) for row in rows for code in re.findall(r"`([a-z-]+)`", row[1])}
    kinds = [StradError]
    for kind in kinds:
        kinds += [k for k in kind.__subclasses__() if k.__module__.startswith("strad.")]
    expected = {k.code: k.close_code for k in kinds if k.code != "bad-format"}
    assert told == expected


def test_every_container_and_state_is_named() -> None:
    for name in [*Container, *StreamState]:
        assert f"`{name}`" in PAGE
