"""A web server of the tests: pages by path, redirects, and bodies that break off or never end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Page:
    """What is answered."""

    body: bytes = b""
    status: str = "200 OK"
    headers: dict[str, str] = field(default_factory=dict)
    announced: int | None = None
    """The length that is told, where it isn't the body's."""
    silent: bool = False
    """Whether nothing comes after the body, without an end."""


class Origin:
    """Serves ``pages``; remembers what was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, Page | Callable[[], Page]] = {}
        self.asked: list[str] = []
        self.heads: list[str] = []
        self.port = 0

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ")[1]
            self.asked.append(path)
            self.heads.append(head)
            found = self.pages.get(path, Page(status="404 Not Found"))
            page = found if isinstance(found, Page) else found()
            await self._write(page, head, writer)
            if page.silent:
                await reader.read()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _write(self, page: Page, head: str, writer: asyncio.StreamWriter) -> None:
        body, status = page.body, page.status
        wanted = next((line for line in head.split("\r\n") if line.startswith("Range: ")), None)
        if wanted is not None:
            first, last = wanted.removeprefix("Range: bytes=").split("-")
            body, status = body[int(first) : int(last) + 1], "206 Partial Content"
        length = len(body) if page.announced is None else page.announced
        headers = {"Content-Length": str(length), "Connection": "close"} | page.headers
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)
        await writer.drain()


@asynccontextmanager
async def serving() -> AsyncIterator[Origin]:
    """The server on a free loopback port."""
    origin = Origin()
    server = await asyncio.start_server(origin.answer, "127.0.0.1", 0)
    origin.port = server.sockets[0].getsockname()[1]
    try:
        yield origin
    finally:
        server.close()
