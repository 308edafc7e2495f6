"""The reel: the media of one stream, over however many connections it comes.

Each connection brings a spool with a decoder of its own. Spools are joined on the stream's one
timeline: what overlaps is dropped, and what is missing is known to be.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TypeAlias

from strad.errors import DecoderError, StradError
from strad.timeline import Interval, Ms
from streaming.hearing import Unheard
from streaming.media import SAMPLES_PER_MS, AudioChunk, Media, VideoFrame
from streaming.memory import Memory

Open: TypeAlias = Callable[[Ms], AbstractAsyncContextManager[AsyncIterator[Media]]]
"""Begins to decode; given the stream time of the first media."""


FLUSH_LIMIT = 30.0
"""Wall seconds that a decoder may be silent once it has been given all there is."""


@dataclass(slots=True)
class Spool:
    """The media of one connection."""

    open: Open
    at: Ms | None = None
    """The stream time of its first media; None: where the stream has come to."""
    outlived: Callable[[StradError], bool] = lambda _: False
    """Told why its media can't be used: whether the stream goes on all the same."""
    decoded: bool = False
    """Whether anything in it could be used."""
    _over: bool = field(default=False, init=False)
    _limit: asyncio.Timeout | None = field(default=None, init=False)

    def end(self) -> None:
        """All its bytes are there: what they hold comes soon, or never."""
        self._over = True
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + FLUSH_LIMIT)

    async def next(self, media: AsyncIterator[Media]) -> Media | None:
        """What comes next; None at the end. Raises DecoderError when its decoder hangs there."""
        try:
            async with asyncio.timeout(FLUSH_LIMIT if self._over else None) as self._limit:
                return await anext(media, None)
        except TimeoutError:
            raise DecoderError(f"the decoder came to no end for {FLUSH_LIMIT:g} s") from None
        finally:
            self._limit = None


class Reel:
    """Put spools in, iterate the media out."""

    def __init__(
        self,
        memory: Memory,
        *,
        grace: float,
        given_up: Callable[[], object],
        listened: bool,
    ) -> None:
        """``memory``: of the media taken so far.

        ``grace``: wall seconds to wait for another spool, before it is ``given_up``. ``listened``:
        ears follow the sound, and tell by themselves what nobody heard.
        """
        self._given_up = given_up
        reached = memory.reached
        self.live_edge = reached.live_edge
        """Newest media time so far."""
        self._seen_to = reached.video_to if reached.live_edge else -1
        self._heard_to = memory.speech.vad_until if listened else reached.audio_to
        self._grace = grace
        self._listened = listened
        self._next: Spool | None = None
        self._finished = False
        self._changed = asyncio.Event()

    def put(self, spool: Spool) -> None:
        """The next one; one that waits is replaced."""
        self._next = spool
        self._changed.set()

    def finish(self) -> None:
        """No other spool will come."""
        self._finished = True
        self._changed.set()

    async def media(
        self, rest: Callable[[], Awaitable[None]]
    ) -> AsyncGenerator[Media | Unheard, None]:
        """All of it, until ``finish``, or until none came for the grace time. Iterate once.

        ``rest`` is awaited wherever the media breaks off.
        """
        while (spool := await self._take()) is not None:
            begins = self.live_edge if spool.at is None else spool.at
            if begins > self.live_edge and not self._listened:
                yield Unheard(Interval(self.live_edge, begins))
            try:
                async with spool.open(begins) as media:
                    while (item := await spool.next(media)) is not None:
                        if (fitting := self._fitting(item)) is not None:
                            spool.decoded = True
                            yield fitting
            except StradError as error:
                if not spool.outlived(error):
                    raise
            if not self._finished:
                await rest()

    def _fitting(self, item: Media) -> Media | None:
        """What of it is new."""
        match item:
            case VideoFrame(t=t):
                if t <= self._seen_to:
                    return None
                self._seen_to = t
                self.live_edge = max(self.live_edge, t)
            case AudioChunk(t=t, when=when):
                if when.end <= self._heard_to:
                    return None
                known = max(0, self._heard_to - t)
                self._heard_to = when.end
                self.live_edge = max(self.live_edge, when.end)
                return AudioChunk(t + known, item.pcm[2 * SAMPLES_PER_MS * known :])
            case _:
                pass
        return item

    async def _take(self) -> Spool | None:
        try:
            async with asyncio.timeout(self._grace):
                while self._next is None and not self._finished:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            self._given_up()
            return None
        spool, self._next = self._next, None
        return spool
