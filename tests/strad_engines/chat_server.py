"""A real HTTP server on loopback that answers chat completions as its script says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Line: TypeAlias = bytes | float | None
Answer: TypeAlias = Line | tuple[Line, ...]
"""Bytes are written, a number is waited for in seconds, None hangs until the client leaves, no
bytes at all drop the connection in the middle of an answer. After several the connection ends."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class ChatServer:
    """What it was asked, who left before an answer, and what it says next."""

    script: list[Answer]
    pages: Mapping[str, bytes]
    url: str = ""
    asked: list[Request] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            while request := await read_request(reader):
                self.asked.append(request)
                self.came.set()
                if not await self._answer(self._next(request.path), reader, writer):
                    return
        except ConnectionError:
            self.left.set()
        finally:
            writer.close()

    def _next(self, path: str) -> Answer:
        if path in self.pages:
            return self.pages[path]
        if not self.script:
            return http(404, b"{}")
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    async def _answer(
        self, answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection goes on."""
        for line in answer if isinstance(answer, tuple) else (answer,):
            if line is None:
                await reader.read(1)
                self.left.set()
                return False
            if isinstance(line, float):
                await asyncio.sleep(line)
                continue
            writer.write(line or b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal")
            await writer.drain()
            if not line:
                return False
        return not isinstance(answer, tuple)


def completion(text: str = "a door opens", **more: Any) -> bytes:
    """A response's JSON."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, **more}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def http(status: int, body: bytes, *headers: str) -> bytes:
    """A whole HTTP response."""
    lines = [f"HTTP/1.1 {status} X", f"content-length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n"
"""The head of an answer that is streamed until the connection ends."""


def event(document: object) -> bytes:
    """One server-sent event."""
    return b"data: " + json.dumps(document).encode() + b"\n\n"


def piece(text: str | None = None, finish: str | None = None, **more: Any) -> bytes:
    """One piece of a streamed completion."""
    delta = {} if text is None else {"content": text}
    return event({"choices": [{"index": 0, "delta": delta, "finish_reason": finish, **more}]})


@asynccontextmanager
async def serving(
    *script: Answer, pages: Mapping[str, bytes] | None = None
) -> AsyncIterator[ChatServer]:
    """Answers in order, the last one for ever; ``pages`` by their path, whenever asked for."""
    server = ChatServer(list(script), pages or {})
    running = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = running.sockets[0].getsockname()[1]
    server.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        running.close()


async def read_request(reader: asyncio.StreamReader) -> Request | None:
    """The next request of a connection; None where it ended."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {k.lower(): v.strip() for k, v in (line.split(":", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(first.split()[1], headers, json.loads(body or b"{}"))
