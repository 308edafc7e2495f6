"""Ears for sound that breaks off and goes on: each unbroken piece has ears of its own.

What was heard of a piece is found to its end, however long the break. Between two pieces nobody
heard anything, and that is said in its place.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from strad.errors import WorkError
from strad.timeline import Interval, Ms
from streaming.ears import Ears
from streaming.hearing import Heard, SpeechKnown, Unheard
from streaming.media import AudioChunk

MOST_PIECES = 16
"""Pieces that may wait to be heard to their end."""

ROOM_LIMIT = 600.0
"""Wall seconds a piece waits for room before listening is given up."""


class SplicedEars:
    """See ``streaming.ears.Ears``."""

    def __init__(self, make: Callable[[], Ears], heard_to: Ms = 0) -> None:
        """The first ears are made at once: they may be refused. ``heard_to``: told before."""
        self._make = make
        self._spare: Ears | None = make()
        self._ears: Ears | None = None
        self._heard_to = heard_to
        self._pieces: asyncio.Queue[tuple[Ms, Ears] | None] = asyncio.Queue(MOST_PIECES)
        self._open: list[Ears] = [self._spare]

    async def hear(self, chunk: AudioChunk) -> None:
        if self._ears is None:
            await self._begin(chunk.t)
        if self._ears is not None:
            await self._ears.hear(chunk)

    async def rest(self) -> None:
        """The sound breaks off here; what comes next is another piece."""
        ears, self._ears = self._ears, None
        if ears is not None:
            await ears.finish()

    async def finish(self) -> None:
        await self.rest()
        await self._add(None)

    async def findings(self) -> AsyncIterator[Heard]:
        while (piece := await self._pieces.get()) is not None:
            begins, ears = piece
            if begins > self._heard_to:
                yield Unheard(Interval(self._heard_to, begins))
            async for heard in ears.findings():
                if isinstance(heard, SpeechKnown):
                    self._heard_to = max(self._heard_to, heard.until)
                yield heard
            self._open.remove(ears)
            await ears.aclose()

    async def aclose(self) -> None:
        for ears in self._open:
            await ears.aclose()

    async def _begin(self, at: Ms) -> None:
        ears, self._spare = self._spare, None
        if ears is None:
            self._open.append(ears := self._make())
        self._ears = ears
        await self._add((at, ears))

    async def _add(self, piece: tuple[Ms, Ears] | None) -> None:
        try:
            async with asyncio.timeout(ROOM_LIMIT):
                await self._pieces.put(piece)
        except TimeoutError:
            raise WorkError("listening stands still: nobody takes what it finds") from None
