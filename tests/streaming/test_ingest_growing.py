"""Live bytes that arrive bit by bit give pictures and sound long before they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from streaming.ingest import open_media
from streaming.media import AudioChunk, VideoFrame
from streaming.sources import BytesSource, Container
from tests.streaming.clips import Recipe, clip, fragmented, webm
from tests.streaming.ingested import ingest

pytestmark = pytest.mark.media

KINDS = {
    Container.WEBM: webm(seconds=6),
    Container.MP4: fragmented(seconds=6),
    Container.MPEGTS: Recipe(container="mpegts", seconds=6),
    Container.FLV: Recipe(container="flv", seconds=6),
    Container.OGG: webm(container="ogv", muxing={}, seconds=6),
    Container.MATROSKA: Recipe(
        container="matroska", seconds=6, muxing={"cluster_time_limit": "500"}
    ),
}
ALWAYS = {Container.WEBM, Container.MP4, Container.MPEGTS}
"""The others are of the slower suites."""


@pytest.mark.parametrize(
    ("container", "recipe"),
    [
        pytest.param(kind, recipe, id=kind, marks=() if kind in ALWAYS else pytest.mark.slow)
        for kind, recipe in KINDS.items()
    ],
)
def test_a_growing_stream_is_described_while_it_grows(container: Container, recipe: Recipe) -> None:
    data = clip(recipe)
    sent = 0

    async def growing() -> AsyncIterator[bytes]:
        nonlocal sent
        step = max(1, len(data) // 60)
        for at in range(0, len(data), step):
            sent = at + step
            yield data[at : at + step]
            await asyncio.sleep(0.02)

    async def go() -> dict[int, float]:
        """How much of it had been sent when each picture came."""
        came: dict[int, float] = {}
        sound = 0
        async with open_media(BytesSource(container, growing())) as media:
            async for item in media:
                if isinstance(item, VideoFrame):
                    came[item.t] = sent / len(data)
                if isinstance(item, AudioChunk):
                    sound = item.when.end
        assert sound >= 5_900
        return came

    came = asyncio.run(go())
    assert list(came)[:6] == [0, 1000, 2000, 3000, 4000, 5000]
    assert came[1000] < 0.8
    assert came[3000] < 0.95


def test_a_low_rate_webm_opens_at_once() -> None:
    options = {"deadline": "realtime", "cpu-used": "8", "lag-in-frames": "0", "b": "6000"}
    data = clip(webm(size=(64, 36), fps=5, seconds=8, options=options))
    first: list[float] = []

    async def at_its_own_speed() -> AsyncIterator[bytes]:
        step = len(data) // 80
        for at in range(0, len(data), step):
            yield data[at : at + step]
            await asyncio.sleep(0.03)

    async def go() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        async with open_media(BytesSource(Container.WEBM, at_its_own_speed())) as media:
            async for item in media:
                if isinstance(item, VideoFrame) and not first:
                    first.append(loop.time() - start)

    asyncio.run(go())
    assert first[0] < 2.0


def test_bytes_that_come_late_are_waited_for() -> None:
    data = clip(webm(seconds=3))

    async def late() -> AsyncIterator[bytes]:
        yield data[:500]
        await asyncio.sleep(0.6)
        yield data[500 : len(data) // 2]
        await asyncio.sleep(0.6)
        yield data[len(data) // 2 :]

    assert ingest(BytesSource(Container.WEBM, late())).times[:3] == [0, 1000, 2000]
