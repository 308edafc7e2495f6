"""Conversations of viewers with a server: said in turn, written down, and said again later.

One JSON object a line: ``watch`` (the address's query, and whether the stream is still live), then
``tell`` (said by the viewer), ``hear`` (said by the server), ``closed`` (its code); for Server-Sent
Events ``events`` (query and Last-Event-ID), ``line`` and ``status``. ``{log}`` is the log's name.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from strad.wire.viewing import About, End, Logged, State, parse_logged
from tests.service.fakes import Workshop
from tests.service.live import LiveService, live_service

FIXTURES = Path(__file__).parents[1] / "fixtures" / "protocol-v1"
LOG = "watch-log"
"""The messages of the stream that is watched, as its log holds them."""

LIMIT = 5.0


def lines_of(name: str) -> list[dict[str, Any]]:
    text = (FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def messages() -> list[Logged]:
    return [parse_logged(json.dumps(line)) for line in lines_of(LOG)]


@asynccontextmanager
async def watched(*, live: bool) -> AsyncIterator[tuple[LiveService, str]]:
    """A service with the stream of the fixture, ended or ``live``; and its log's name."""
    log = messages()
    first = log[0]
    assert isinstance(first, State)
    assert isinstance(first.about, About)
    assert isinstance(log[-1], End)
    async with live_service(Workshop().equipment()) as service:
        async with service.station.streams.publishing("news", first.about) as stream:
            for message in log:
                if live and isinstance(message, End | State) and message.seq > 1:
                    continue
                await stream.log.append(lambda seq, told=message: told)  # type: ignore[misc]
            name = stream.log.name
            if live:
                yield service, name
        if not live:
            yield service, name


async def conversation(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What came of it: the same lines, with what is heard now."""
    first = lines[0]
    kind = "watch" if "watch" in first else "events"
    async with watched(live=first.get("live", False)) as (service, log):
        address = f"127.0.0.1:{service.port}/v1/streams/news/events{first[kind]}"
        address = address.replace("{log}", log)
        if kind == "events":
            heard = await _by_events(f"http://{address}", first, log)
        else:
            heard = await _by_socket(f"ws://{address}", lines)
    text = json.dumps([first, *heard]).replace(log, "{log}")
    again: list[dict[str, Any]] = json.loads(text)
    return again


async def _by_socket(url: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Says the next thing once the log is told, or the last thing answered; then leaves."""
    heard: list[dict[str, Any]] = []
    told = [line for line in lines if "tell" in line]
    live = lines[0].get("live", False)
    async with asyncio.timeout(LIMIT), connect(url, proxy=None) as socket:
        try:
            while True:
                heard.append({"hear": json.loads(await socket.recv())})
                message = heard[-1]["hear"]
                if "answers" not in message and message.get("seq") != heard[0]["hear"]["last"]:
                    continue
                if told:
                    heard.append(told.pop(0))
                    await socket.send(json.dumps(heard[-1]["tell"]))
                elif live:
                    return heard
        except ConnectionClosed:
            heard.append({"closed": socket.close_code})
    return heard


async def _by_events(url: str, first: dict[str, Any], log: str) -> list[dict[str, Any]]:
    headers = {"Accept": "text/event-stream"}
    if "last" in first:
        headers["Last-Event-ID"] = first["last"].replace("{log}", log)
    async with httpx.AsyncClient(timeout=LIMIT) as client:
        answer = await client.get(url, headers=headers)
    return [{"status": answer.status_code}, *({"line": line} for line in answer.text.split("\n"))]
