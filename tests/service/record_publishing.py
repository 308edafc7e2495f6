"""Writes tests/fixtures/protocol-v1/publish-*.jsonl: what publishers of version 1 say and are told.

Run once for a version, by hand: ``python -m tests.service.record_publishing FOLDER``. What is
committed is never written anew: later servers must take what it holds, later clients must read it.

A line is one event of one connection: ``tell`` (a text message, as sent), ``media`` (base64),
``hear`` (a text message, as received; progress is left out), ``lost``, or ``closed`` with its code.
``{resume}`` stands for the token the server gave out.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clients.python.address import StreamAddress
from service.loading import live_media
from strad.wire.framed import picture, sound
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.streaming.test_ingest_framed import jpeg

FIXTURES = Path(__file__).parents[1] / "fixtures" / "protocol-v1"

SLOW = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))

HELLO: dict[str, Any] = {"type": "hello", "version": 1, "container": "webm"}
WHOLE = HELLO | {
    "id": "h1",
    "language": "en-GB",
    "delay": 3.0,
    "stride": 2.0,
    "describer": "every-window",
    "gaps": "union",
    "transcript": "captions",
}
CUE = {"start": 1.0, "end": 2.5, "text": "Where have you been?"}

FRAMED = [
    message.to_bytes()
    for n in range(4)
    for message in (picture(n * 1_000, jpeg(40 + n, (32, 18))), sound(n * 1_000_000, bytes(3_200)))
]

SCRIPTS: dict[str, list[list[Any]]] = {
    "publish-least": [[HELLO, b"qqqqqqqq", {"type": "finish"}]],
    "publish-whole": [
        [
            WHOLE,
            {"type": "captions", "id": "c1", "cues": [CUE], "until": 40.0},
            b"qqqq",
            {"type": "epoch", "id": "e1", "player": 600.0},
            {"type": "epoch", "stream": 4.5, "player": 30.0, "rate": 1.5},
            b"qqtt",
            {"type": "keepalive", "sent": 8.0},
            {"type": "pause", "id": "p1"},
            {"type": "keepalive"},
            {"type": "play", "id": "p2"},
            b"qqqq",
            {"type": "finish", "id": "f1"},
        ]
    ],
    "publish-refused": [
        [
            HELLO,
            {"type": "captions", "id": "c1", "until": 3.0},
            {"type": "greeting", "id": "g1"},
            {"type": "epoch", "id": "e1", "player": -1.0},
            HELLO,
            b"qqqq",
            {"type": "finish"},
            b"q",
        ]
    ],
    "publish-resumed": [
        [HELLO, b"qqqqqqqqqq", None],
        [HELLO | {"container": "mp4", "resume": "{resume}"}, b"qqqq", None],
        [HELLO | {"resume": "{resume}", "at": 12.0}, b"qqqq", {"type": "finish"}],
    ],
    "publish-framed": [[HELLO | {"container": "framed"}, *FRAMED, {"type": "finish"}]],
}


class Recording:
    """One conversation, over one or more connections."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.token = ""
        self.decoded = 0
        """Seconds of media sent over connections that were lost."""

    async def play(self, address: StreamAddress, scripts: list[list[Any]]) -> None:
        """Say all of it. A script ends with the stream, or, where it ends in None, by a break."""
        for number, script in enumerate(scripts, 1):
            async with connect(address.media, proxy=None, compression=None) as socket:
                await self._connection(number, socket, script)

    async def _connection(self, number: int, socket: ClientConnection, script: list[Any]) -> None:
        lost = script[-1] is None
        for index, step in enumerate(script[:-1] if lost else script):
            await self._say(number, socket, step)
            if index == 0:
                await self._hear(number, socket, "ready")
        if lost:
            await self._hear_progress(
                socket, len(b"".join(s for s in script if isinstance(s, bytes)))
            )
            self._add(number, lost=True)
            socket.transport.abort()
        else:
            await self._hear(number, socket, None)

    async def _say(self, number: int, socket: ClientConnection, step: Any) -> None:
        if isinstance(step, bytes):
            self._add(number, media=base64.b64encode(step).decode())
            await socket.send(step)
        else:
            self._add(number, tell=step)
            await socket.send(json.dumps(step).replace("{resume}", self.token))

    async def _hear(self, number: int, socket: ClientConnection, until: str | None) -> None:
        while True:
            try:
                async with asyncio.timeout(20):
                    message = json.loads(await socket.recv())
            except ConnectionClosed as closed:
                self._add(number, closed=closed.rcvd.code if closed.rcvd else 1006)
                return
            if message["type"] == "ready":
                self.token, message["resume"] = message["resume"], "{resume}"
            if message["type"] != "progress":
                self._add(number, hear=message)
            if message["type"] == until:
                return

    async def _hear_progress(self, socket: ClientConnection, seconds: int) -> None:
        """Until so many more seconds are decoded."""
        self.decoded += seconds
        edge = 0.0
        while edge < self.decoded - 0.5:
            async with asyncio.timeout(20):
                edge = json.loads(await socket.recv()).get("live_edge", 0.0)

    def _add(self, connection: int, **event: Any) -> None:
        self.lines.append({"connection": connection} | event)


async def record(folder: Path) -> None:
    for name, scripts in SCRIPTS.items():
        media = {"media": live_media} if name == "publish-framed" else {}
        async with live_service(replace(Workshop().equipment(), **media), SLOW) as live:
            recording = Recording()
            await recording.play(live.address(), scripts)
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in recording.lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(record(Path(sys.argv[1])))
