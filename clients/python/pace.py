"""Pace: sending a file's bytes at the speed it plays, by what the service says it has decoded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from enum import StrEnum

from strad.wire.answering import Answer, Progress

PIECE = 16 * 1024
"""Bytes sent at once."""

AHEAD = 1.0
"""Seconds of media that may be decoded ahead of the clock."""

FIRST_RATE = 200_000.0
"""Bytes a second until the service has said how much media they hold."""


class Pace(StrEnum):
    """How fast a file is sent."""

    LIVE = "live"
    """As fast as it plays."""
    FAST = "fast"
    """As fast as the service takes it."""


class LivePace:
    """Knows bytes a media second from what went out and what was decoded of it."""

    def __init__(self) -> None:
        self._sent = 0
        self._live_edge = 0.0
        self._rate = FIRST_RATE

    def hear(self, answer: Answer) -> None:
        """Take note of how far decoding is."""
        if isinstance(answer, Progress) and answer.live_edge > self._live_edge:
            self._live_edge = answer.live_edge
            self._rate = max(1.0, self._sent / self._live_edge)

    async def at_play_speed(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """The same bytes, in small pieces, none much before its time."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        async for chunk in chunks:
            for at in range(0, len(chunk), PIECE):
                piece = chunk[at : at + PIECE]
                yield piece
                self._sent += len(piece)
                await asyncio.sleep(self._pause(len(piece), clock() - begun))

    def _pause(self, size: int, elapsed: float) -> float:
        """Behind the clock: none. Ahead of it: what the piece lasts, and until the clock is near.

        Bounded, so that a decoder which needs more bytes before it shows any media gets them.
        """
        ahead = self._live_edge - elapsed
        lasts = size / self._rate
        if self._live_edge and ahead < -AHEAD:
            return 0.0
        return min(2.0, lasts + max(0.0, ahead - AHEAD))
