"""The feed: a stream's decoded media, with what its publisher tells about it in between."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator

from service.caption_queue import CaptionQueue
from strad import timeline
from strad.errors import OverloadedError
from strad.timeline import Ms, from_seconds
from strad.wire.publishing import Captions, Epoch
from streaming.hearing import Unheard, WordsKnown
from streaming.media import AudioChunk, EpochStarted, Media, VideoFrame

MOST_TOLD = 1_000
"""How many epochs may wait for media to come."""

AHEAD: Ms = 30_000
"""Captions are told so far ahead of the media."""


class Feed:
    """What is told goes in before the next piece of media; an epoch, once media has reached it."""

    def __init__(self, live_edge: Ms = 0, captions_to: Ms = 0) -> None:
        """``live_edge``, ``captions_to``: of the media and captions taken before."""
        self._epochs: deque[Epoch] = deque()
        self._captions = CaptionQueue(captions_to)
        self.live_edge = live_edge
        """Newest media time decoded so far."""

    @property
    def captions_to(self) -> Ms:
        """Up to here captions are final."""
        return self._captions.until

    def tell(self, told: Captions | Epoch) -> None:
        """Raises ProtocolError for captions that step back, OverloadedError for too much."""
        if isinstance(told, Captions):
            self._captions.tell(told)
            return
        if len(self._epochs) >= MOST_TOLD:
            raise OverloadedError(f"more than {MOST_TOLD} epochs ahead of the media")
        self._epochs.append(told)

    def lose_captions(self) -> None:
        """Captions were refused before they could be told: what they hold is not silence."""
        self._captions.lose(None)

    async def mix(
        self, pieces: AsyncIterator[Media | Unheard]
    ) -> AsyncGenerator[Media | WordsKnown | Unheard, None]:
        """``pieces``, and what is told of their time until they end. Call it once."""
        async for media in pieces:
            async for fact in self._told():
                yield fact
            match media:
                case VideoFrame():
                    self.live_edge = max(self.live_edge, media.t)
                case AudioChunk():
                    self.live_edge = max(self.live_edge, media.when.end)
            yield media
        async for fact in self._told(over=True):
            yield fact

    async def _told(self, *, over: bool = False) -> AsyncGenerator[EpochStarted | WordsKnown, None]:
        while self._epochs and self._begins(self._epochs[0]) <= self.live_edge:
            yield self._epoch(self._epochs.popleft())
        to = self.live_edge + AHEAD
        if over or self._captions.is_due(to, AHEAD):
            for known in self._captions.due(to, over=over):
                yield known
                await asyncio.sleep(0)

    def _begins(self, told: Epoch) -> Ms:
        return self.live_edge if told.stream is None else from_seconds(told.stream)

    def _epoch(self, told: Epoch) -> EpochStarted:
        player = from_seconds(told.player)
        return EpochStarted(timeline.Epoch(self._begins(told), player, told.rate))
