"""Clients come back by themselves: a wire is cut, and what they push is whole all the same."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from clients.python.address import StreamAddress
from clients.python.pace import Pace
from clients.python.publisher import Control
from clients.python.push import push_file
from clients.python.resuming import Source, Take, publish_on
from service.loading import live_media
from service.push_sources import RemuxedFile, WithCaptions
from strad.errors import InputError, PeerGoneError, ProtocolError
from strad.wire.answering import Answer, Ready
from strad.wire.publishing import CaptionCue, Captions, Container, Hello, WordSource
from tests.service.cutter import cutter
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, free_port, live_service
from tests.service.test_remux import film

pytestmark = pytest.mark.media

PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))


class Letters:
    """Spelled media from its first letter, each time; some of it in pieces, with pauses."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self.begun: list[float | None] = []

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        self.begun.append(since)
        yield Take(Container.WEBM, self._letters(), None if since is None else 0.0)

    async def _letters(self) -> AsyncIterator[bytes | Control]:
        for _ in range(self._seconds):
            yield b"q"
            await asyncio.sleep(0.02)


def test_a_cut_wire_is_mended_and_the_stream_is_whole() -> None:
    source = Letters(60)
    ready: list[Ready] = []

    def hear(answer: Answer) -> None:
        if isinstance(answer, Ready):
            ready.append(answer)

    async def go() -> float:
        async with (
            live_service(Workshop().equipment(), PATIENT) as live,
            cutter(live.port, 600, 650) as wire,
        ):
            hello = Hello(container=Container.WEBM, delay=3.0)
            summary = await publish_on(wire.address(), hello, source, hear)
            assert wire.connections == 3
            return summary.live_edge

    assert asyncio.run(go()) == 60.0
    assert len({answer.resume for answer in ready}) == 1
    assert source.begun[0] is None
    assert [since is not None for since in source.begun] == [False, True, True]


@pytest.mark.parametrize("pace", [Pace.FAST, pytest.param(Pace.LIVE, marks=pytest.mark.slow)])
def test_a_file_is_pushed_on_from_where_its_wire_was_cut(tmp_path: Path, pace: Pace) -> None:
    path = film(tmp_path / "a.mkv", seconds=16 if pace is Pace.FAST else 5, noisy=True)
    size = path.stat().st_size
    workshop = Workshop()
    equipment = replace(workshop.equipment(), media=live_media)
    cue = CaptionCue(start=1.0, end=2.0, text="good evening")
    captions = [Captions(cues=(cue,), until=100.0)]
    source: Source = WithCaptions(RemuxedFile(path, pace), captions)

    async def go() -> float:
        async with (
            live_service(equipment, PATIENT) as live,
            cutter(live.port, size // 2) as wire,
        ):
            hello = Hello(container=Container.MATROSKA, transcript=WordSource.CAPTIONS)
            assert isinstance(source, WithCaptions)
            summary = await publish_on(wire.address(), hello, source, source.hear)
            assert wire.connections == 2
            return summary.live_edge

    assert asyncio.run(go()) == pytest.approx(16.0 if pace is Pace.FAST else 5.0, abs=0.2)


def test_a_whole_file_is_sent_again_from_its_first_byte(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", seconds=10, noisy=True)
    equipment = replace(Workshop().equipment(), media=live_media)

    async def go() -> float:
        async with (
            live_service(equipment, PATIENT) as live,
            cutter(live.port, path.stat().st_size // 2) as wire,
        ):
            summary = await push_file(path, wire.address(), pace=Pace.FAST)
            assert wire.connections == 2
            return summary.live_edge

    assert asyncio.run(go()) == pytest.approx(10.0, abs=0.2)


def test_it_gives_up_when_its_patience_is_over() -> None:
    async def go() -> int:
        async with (
            live_service(Workshop().equipment(), PATIENT) as live,
            cutter(live.port, 600, *[0] * 100) as wire,
        ):
            lost = await pushed(wire.address(), Letters(10_000), patience=1.0)
            assert isinstance(lost, PeerGoneError)
            return wire.connections

    assert 2 <= asyncio.run(go()) < 8


def test_the_first_connection_must_be_had_at_once_and_refusals_are_final() -> None:
    async def go() -> None:
        nowhere = StreamAddress.parse(f"http://127.0.0.1:{free_port()}/news")
        assert isinstance(await pushed(nowhere, Letters(5)), PeerGoneError)
        async with live_service(Workshop().equipment(), PATIENT) as live:
            hello = Hello(container=Container.WEBM, describer="oracle")
            refused = await pushed(live.address(), Letters(5), hello=hello)
            assert isinstance(refused, InputError)
            assert not isinstance(refused, ProtocolError)

    asyncio.run(go())


async def pushed(
    address: StreamAddress, source: Source, *, patience: float = 5.0, hello: Hello | None = None
) -> Exception | None:
    """What a push ended with."""
    try:
        await publish_on(
            address, hello or Hello(container=Container.WEBM), source, patience=patience
        )
    except (PeerGoneError, InputError) as error:
        return error
    return None
