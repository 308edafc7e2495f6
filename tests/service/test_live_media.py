"""Real bytes over real sockets into the real decoder: what comes of good and of hostile media."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from clients.python.pace import Pace
from clients.python.publisher import publish
from clients.python.push import push_file
from clients.python.viewer import watch
from service.equipment import Equipment
from service.loading import live_media
from strad.errors import MediaError
from strad.wire.answering import Progress, Summary
from strad.wire.publishing import Container, Hello
from strad.wire.viewing import Ad
from tests.service.fakes import Workshop
from tests.service.live import live_service
from tests.service.test_remux import film

pytestmark = pytest.mark.media


def equipment() -> Equipment:
    """The real decoder; ears and describer are fakes."""
    return replace(Workshop().equipment(), media=live_media)


async def cut(data: bytes, seed: int) -> AsyncIterator[bytes]:
    """The same bytes in pieces of any size."""
    random, at = Random(seed), 0
    while at < len(data):
        size = random.choice((1, 7, 100, 1_000, 30_000))
        yield data[at : at + size]
        at += size


def test_the_cut_of_the_bytes_does_not_matter(tmp_path: Path) -> None:
    data = film(tmp_path / "film.mkv", seconds=12).read_bytes()
    hello = Hello(container=Container.MATROSKA)

    async def go() -> list[Summary]:
        async with live_service(equipment()) as live:
            return [await publish(live.address(), hello, cut(data, seed)) for seed in (1, 2)]

    for summary in asyncio.run(go()):
        assert summary.live_edge == pytest.approx(12.0, abs=0.2)
        assert summary.events >= 1


@pytest.mark.parametrize(
    "data",
    [
        b"noise " * 10_000,
        b"ffconcat version 1.0\nfile /etc/passwd\n" * 100,
        b"\x1a\x45\xdf\xa3" + bytes(100_000),
        b"\x00",
    ],
)
def test_hostile_bytes_are_bad_media_and_the_service_goes_on(data: bytes, tmp_path: Path) -> None:
    good = film(tmp_path / "film.mkv").read_bytes()

    async def go() -> None:
        async with live_service(equipment()) as live:
            with pytest.raises(MediaError):
                await publish(live.address(), Hello(container=Container.WEBM), cut(data, 1))
            hello = Hello(container=Container.MATROSKA)
            assert (await publish(live.address(), hello, cut(good, 1))).live_edge > 1.5

    asyncio.run(go())


@pytest.mark.slow
def test_a_file_pushed_at_live_pace_keeps_to_the_clock(tmp_path: Path) -> None:
    path = film(tmp_path / "film.flv", seconds=8, codec="flv1", noisy=True)

    async def go() -> tuple[float, Summary, list[float]]:
        async with live_service(equipment()) as live, asyncio.TaskGroup() as tasks:
            viewer = tasks.create_task(ads_of(watch(live.address())))
            clock = asyncio.get_running_loop().time
            begun, edges = clock(), []

            def hear(answer: object) -> None:
                if isinstance(answer, Progress):
                    edges.append(answer.live_edge - (clock() - begun))

            summary = await push_file(path, live.address(), pace=Pace.LIVE, hear=hear)
            took = clock() - begun
            assert len(await viewer) == summary.events
        return took, summary, edges

    async def ads_of(messages: AsyncIterator[object]) -> list[Ad]:
        return [message async for message in messages if isinstance(message, Ad)]

    took, summary, ahead = asyncio.run(go())
    assert summary.live_edge == pytest.approx(8.0, abs=0.2)
    assert 5.0 < took < 14.0
    assert max(ahead) < 5.0
