"""A file's media held back to the speed it plays at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.pacing import at_play_speed
from streaming.media import Media, MediaNotice
from tests.fakes import chunk, frame
from tests.virtual_time import run

pytestmark = pytest.mark.unit


def test_nothing_comes_before_it_would_have_happened() -> None:
    items: list[Media] = [MediaNotice("no-audio", 0, "none"), frame(0), chunk(0), frame(5_000)]

    async def media() -> AsyncIterator[Media]:
        for item in items:
            yield item

    async def moments() -> list[float]:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        return [round(loop.time() - begun, 3) async for _ in at_play_speed(media())]

    assert run(moments()) == [0.0, 0.0, 0.1, 5.0]
