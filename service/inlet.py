"""The inlet: a publisher's media bytes, between its socket and the decoder. Bounded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

from strad.errors import DecoderError

HIGH_WATER = 2 * 1024 * 1024
"""Bytes waiting from which on the socket isn't read any further."""


class Inlet:
    """Push bytes in, iterate them out. A full one makes the pusher wait, and so the sender."""

    def __init__(self, high_water: int = HIGH_WATER, patience: float = 60.0) -> None:
        self._high_water = high_water
        self._patience = patience
        self._chunks: deque[bytes] = deque()
        self._waiting = 0
        self._finished = False
        self.on_finish: Callable[[], object] = lambda: None
        """Called when no more will come."""
        self._changed = asyncio.Event()

    @property
    def waiting(self) -> int:
        """Bytes pushed and not taken yet."""
        return self._waiting

    async def push(self, chunk: bytes) -> None:
        """Add ``chunk``, once there is room. What comes after ``finish`` is dropped.

        Raises DecoderError when nothing was taken out for ``patience`` wall seconds.
        """
        while self._waiting >= self._high_water and not self._finished:
            await self._change(f"the decoder took no media for {self._patience:g} s")
        if chunk and not self._finished:
            self._chunks.append(chunk)
            self._waiting += len(chunk)
            self._notify()

    def finish(self) -> None:
        """No more will come: iteration ends after what is already here."""
        self._finished = True
        self._notify()
        self.on_finish()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The bytes in order. Iterate once. Waits as long as it takes: the pusher has limits."""
        while True:
            while self._chunks:
                chunk = self._chunks.popleft()
                self._waiting -= len(chunk)
                self._notify()
                yield chunk
            if self._finished:
                return
            await self._changed.wait()

    async def _change(self, complaint: str) -> None:
        try:
            async with asyncio.timeout(self._patience):
                await self._changed.wait()
        except TimeoutError:
            raise DecoderError(complaint) from None

    def _notify(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
