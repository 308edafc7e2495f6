"""Pace: sending a file's bytes at the speed it plays, by what the service says it has decoded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from enum import StrEnum
from typing import TypeAlias

from strad.wire.answering import Answer, Progress

PIECE = 8 * 1024
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


CATCH_UP = 4.0
"""How much faster than it plays media is sent while decoding is behind the clock."""

Mark: TypeAlias = tuple[float, int]
"""A live edge in seconds, and the bytes sent when it was reported."""


class LivePace:
    """Knows bytes a media second from what went out between two reports of the live edge.

    What a decoder holds back before it shows any media is in both, and so drops out.
    """

    def __init__(self) -> None:
        self._sent = 0
        self._first: Mark | None = None
        self._live_edge = 0.0
        self._rate = FIRST_RATE
        self._seen = 0
        """Bytes that were sent when the live edge was reported."""
        self._again = 0
        """Bytes that are sent a second time."""
        self._begins = 0.0
        """The live edge when these bytes were begun."""

    def hear(self, answer: Answer) -> None:
        """Take note of how far decoding is."""
        if not isinstance(answer, Progress) or answer.live_edge <= self._live_edge:
            return
        self._live_edge, self._seen = answer.live_edge, self._sent
        self._first = self._first or (answer.live_edge, self._sent)
        edge, sent = self._first
        if answer.live_edge - edge >= 0.5:
            self._rate = max(1.0, (self._sent - sent) / (answer.live_edge - edge))

    def begin_again(self) -> None:
        """The same bytes are sent anew: those that were decoded already, at once."""
        self._begins, self._again = self._live_edge, self._seen
        self._sent, self._first = 0, None

    async def at_play_speed(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
        """The same bytes, in small pieces, none much before its time."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        async for chunk in chunks:
            for at in range(0, len(chunk), PIECE):
                piece = chunk[at : at + PIECE]
                yield piece
                self._sent += len(piece)
                if self._sent > self._again:
                    elapsed = self._begins + clock() - begun
                    await asyncio.sleep(self._pause(len(piece), elapsed))

    def _pause(self, size: int, elapsed: float) -> float:
        """What the piece lasts; less when decoding is behind the clock, more when it is ahead.

        Bounded, so that a decoder which needs more bytes before it shows any media gets them.
        """
        ahead = self._live_edge - elapsed
        lasts = size / self._rate
        if ahead < -AHEAD:
            return min(2.0, lasts / CATCH_UP)
        return min(2.0, lasts + max(0.0, ahead - AHEAD))
