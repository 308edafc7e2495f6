"""A real HTTP server on loopback that answers chat completions as its script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class ChatServer:
    """What it was asked, and who left before an answer."""

    url: str = ""
    asked: list[Request] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)


def completion(text: str = "a door opens", **more: Any) -> bytes:
    """A response's JSON."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, **more}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def http(status: int, body: bytes, *headers: str) -> bytes:
    """A whole HTTP response."""
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def serving(*script: bytes | None) -> AsyncIterator[ChatServer]:
    """Answers in order, the last one for ever; None: hang until the client leaves."""
    server = ChatServer()
    left = list(script)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await _read(reader):
                server.asked.append(request)
                answer = left.pop(0) if len(left) > 1 else left[0]
                if answer is None:
                    await reader.read(1)
                    server.left.set()
                    return
                if not answer:  # the connection is dropped in the middle of an answer
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal")
                    return
                writer.write(answer)
                await writer.drain()
        except ConnectionError:
            server.left.set()
        finally:
            writer.close()

    running = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = running.sockets[0].getsockname()[1]
    server.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        running.close()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(first.split()[1], headers, json.loads(body))
