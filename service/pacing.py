"""Pacing: decoded media of a file, held back to the speed it plays at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from strad.timeline import Ms, to_seconds
from streaming.media import AudioChunk, Media, VideoFrame


async def at_play_speed(media: AsyncIterator[Media], begins: Ms = 0) -> AsyncIterator[Media]:
    """The same items, none before the moment it would have happened.

    ``begins``: the stream time that is now.
    """
    clock = asyncio.get_running_loop().time
    begun: float | None = None
    async for item in media:
        if begun is None:
            begun = clock()
        await asyncio.sleep(max(0.0, begun + to_seconds(_moment(item) - begins) - clock()))
        yield item


def _moment(item: Media) -> Ms:
    match item:
        case AudioChunk():
            return item.when.end
        case VideoFrame():
            return item.t
        case _:
            return 0
