"""Ears with somebody listening in: what they find is told to a second listener as well."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from streaming.ears import Ears
from streaming.hearing import Heard
from streaming.media import AudioChunk


class ListeningIn:
    """Passes everything through."""

    def __init__(self, ears: Ears, tell: Callable[[Heard], None]) -> None:
        self._ears = ears
        self._tell = tell

    async def hear(self, chunk: AudioChunk) -> None:
        await self._ears.hear(chunk)

    async def finish(self) -> None:
        await self._ears.finish()

    async def findings(self) -> AsyncIterator[Heard]:
        async for heard in self._ears.findings():
            self._tell(heard)
            yield heard

    async def aclose(self) -> None:
        await self._ears.aclose()
