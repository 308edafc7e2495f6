"""A publisher that asks for it has sounds left alone, and is told what that takes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from strad.wire.viewing import Ad
from tests.service.fakes import Workshop
from tests.service.live import live_service
from tests.service.publishing import publishing, watched

pytestmark = pytest.mark.service

PROGRAMME = (b"q" * 8, b"b" * 4, b"b" * 2, b"q" * 4, b"q" * 8)
"""Bangs from 8 to 14 s; each piece is looked at before the next comes."""


def described(**hello: Any) -> list[Ad]:
    async def go() -> list[Ad]:
        async with (
            live_service(Workshop().equipment()) as live,
            asyncio.TaskGroup() as tasks,
        ):
            viewer = tasks.create_task(watched(live.address()))
            async with publishing(live.address(), delay=10.0, **hello) as publisher:
                await publisher.until("ready")
                sent = 0.0
                for piece in PROGRAMME:
                    await publisher.media(piece)
                    sent += len(piece)
                    if "transcript" in hello:
                        await publisher.tell(type="captions", until=sent, cues=[])
                    await publisher.until("progress", cursor=sent - 2)
                await publisher.tell(type="finish")
                await publisher.until("summary")
            _, ads, _ = await viewer
            return ads

    return asyncio.run(go())


def on_the_bangs(ads: list[Ad]) -> list[Ad]:
    return [ad for ad in ads if ad.start < 14 and ad.end > 8]


@pytest.mark.parametrize(
    "hello", [{}, {"transcript": "captions", "gaps": "transcript"}], ids=["heard", "captioned"]
)
def test_no_description_lies_on_a_sound_that_is_protected(hello: dict[str, str]) -> None:
    ads = described(protect="sounds", **hello)
    assert ads
    assert on_the_bangs(ads) == []


@pytest.mark.slow
def test_without_it_sounds_are_described_over() -> None:
    assert on_the_bangs(described())


def test_too_little_delay_for_it_is_refused() -> None:
    async def go() -> dict[str, Any]:
        async with (
            live_service(Workshop().equipment()) as live,
            publishing(live.address(), delay=3.0, protect="songs") as publisher,
        ):
            return await publisher.until("error")

    error = asyncio.run(go())
    assert error["message"] == "hello.protect: sounds take a delay of at least 8 s"
