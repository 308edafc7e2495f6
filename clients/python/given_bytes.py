"""Bytes given: media that comes once, kept for as long as that is little, to be sent again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from clients.python.container import HEAD, container_of
from clients.python.outcome import outcome
from clients.python.resuming import Take
from strad.errors import InputError, WorkError
from strad.wire.publishing import Container

WAITING = 8
"""Chunks taken in before they can be sent."""

MOST_KEPT = 64 * 2**20
"""Bytes kept, so that a lost connection can be made again: a container begins with its header."""


class GivenBytes:
    """A ``Source`` over bytes that can be had once. ``run`` must go on beside it."""

    def __init__(self, chunks: AsyncIterable[bytes], container: Container | None) -> None:
        self._chunks = chunks
        self._container = container
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(WAITING)
        self._kept: list[bytes] = []
        self._size = 0
        self._ended = False

    async def run(self) -> None:
        """Take the bytes in, all that come. Raises what their giver raises."""
        failed = await outcome(self._take_in())
        await self._waiting.put(None)
        if failed is not None:
            raise failed

    async def _take_in(self) -> None:
        async for chunk in self._chunks:
            await self._waiting.put(bytes(chunk))

    async def container(self) -> Container:
        """As it was named, else by the first bytes. Raises InputError where they are of none."""
        head = b""
        while (found := self._container or container_of(Path(), head)) is None:
            chunk = await self._next() if len(head) < HEAD else None
            if chunk is None:
                raise InputError("the bytes are not WebM, Matroska, MP4, MPEG-TS, FLV or Ogg")
            head += chunk
        self._container = found
        return found

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``. All from the first byte: the service drops what it has seen already."""
        if self._size > MOST_KEPT:
            what = f"more than {MOST_KEPT // 2**20} MiB of these bytes were sent"
            raise WorkError(f"the connection is lost, and {what}: they can't be sent again")
        media = self._from_the_first()
        yield Take(await self.container(), media, None if since is None else 0.0)

    async def _from_the_first(self) -> AsyncIterator[bytes]:
        for kept in tuple(self._kept):
            yield kept
        while (chunk := await self._next()) is not None:
            yield chunk

    async def _next(self) -> bytes | None:
        """The next chunk, kept while there is room; None at the end."""
        if self._ended:
            return None
        chunk = await self._waiting.get()
        if chunk is None:
            self._ended = True
            return None
        self._size += len(chunk)
        self._kept.append(chunk)
        if self._size > MOST_KEPT:
            self._kept.clear()
        return chunk
