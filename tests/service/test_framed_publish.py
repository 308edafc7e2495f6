"""Publishing without a container, into the real decoder over real sockets; other odd senders."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from service.equipment import Equipment
from service.loading import live_media
from service.settings import Settings
from strad.wire.framed import HEAD, picture, sound
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.publishing import publishing
from tests.service.test_resume import finished
from tests.streaming.clips import clip, fragmented, webm
from tests.streaming.test_ingest_framed import bomb, jpeg, tone

pytestmark = pytest.mark.media

PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))
IMPATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, silence=2.0))
"""Starting a decoder may hold a busy machine up for most of a second."""


def equipment() -> Equipment:
    return replace(Workshop().equipment(), media=live_media)


def second(n: int) -> list[bytes]:
    """One second of framed media, in which nobody speaks."""
    sounds = [sound(n * 1_000_000 + k * 100_000, bytes(3_200)) for k in range(10)]
    return [message.to_bytes() for message in (picture(n * 1_000, jpeg(20 + n * 10)), *sounds)]


def answers(said: list[dict[str, Any]]) -> list[str]:
    return [message["message"] for message in said if message["type"] == "error"]


def test_framed_media_is_described_refused_piece_by_piece_and_resumed() -> None:
    async def go() -> None:
        async with live_service(equipment(), PATIENT) as live:
            async with publishing(live.address(), container="framed") as first:
                token = (await first.until("ready"))["resume"]
                for n in range(6):
                    for message in second(n):
                        await first.media(message)
                await first.media(b"short")
                await first.media(sound(1_000_000, tone(0.1)).to_bytes())
                await first.media(picture(2_000, jpeg(9)).to_bytes())
                await first.media(picture(900_000, jpeg(9)).to_bytes())
                await first.media(HEAD.pack(2, 0, 0, 4_000, 5_000_000) + bytes(8))
                await first.until("progress", live_edge=3.0)
                first.break_off()
            async with publishing(live.address(), container="framed", resume=token) as again:
                for n in range(4, 12):
                    for message in second(n):
                        await again.media(message)
                summary = await finished(again)
            assert summary["live_edge"] == pytest.approx(12.0, abs=0.2)
            assert summary["events"] >= 1
            refused = answers(first.said)
            assert [text.split(":")[0] for text in refused] == ["framed"] * 5
            for words, text in zip(
                ("16 bytes", "sound of 1 s after", "a picture of 2 s", "more than 120 s", "4000"),
                refused,
                strict=True,
            ):
                assert words in text
            assert answers(again.said) == []

    asyncio.run(go())


def test_a_bomb_ends_its_stream_and_the_service_goes_on() -> None:
    async def go() -> None:
        async with live_service(equipment()) as live:
            async with publishing(live.address("bad"), container="framed") as bad:
                for message in second(0):
                    await bad.media(message)
                await bad.media(picture(1_000, bomb()).to_bytes())
                types, code = await bad.rest()
                assert (types[-1], code) == ("error", 1003)
                assert "65000x65000" in bad.said[-1]["message"]
            async with publishing(live.address("good"), container="framed") as good:
                for n in range(4):
                    for message in second(n):
                        await good.media(message)
                assert (await finished(good))["live_edge"] == pytest.approx(4.0, abs=0.2)

    asyncio.run(go())


def test_a_stream_goes_on_in_another_container() -> None:
    async def go() -> None:
        async with live_service(equipment(), PATIENT) as live:
            async with publishing(live.address(), container="webm") as first:
                token = (await first.until("ready"))["resume"]
                data = clip(webm(seconds=5))
                await first.media(data[: len(data) * 4 // 5])
                await first.until("progress", live_edge=2.0)
                first.break_off()
            async with publishing(live.address(), container="mp4", resume=token, at=10.0) as again:
                await again.media(clip(fragmented(seconds=5)))
                summary = await finished(again)
            assert summary["live_edge"] == pytest.approx(15.0, abs=0.2)

    asyncio.run(go())


def test_a_connection_lost_in_the_header_costs_nothing() -> None:
    async def go() -> None:
        data = clip(webm(seconds=3))
        async with live_service(equipment(), PATIENT) as live:
            async with publishing(live.address(), container="webm") as first:
                token = (await first.until("ready"))["resume"]
                await first.media(data[:40])
                first.break_off()
            async with publishing(live.address(), container="webm", resume=token) as headless:
                await headless.media(data[len(data) // 2 :])
                await headless.tell(type="keepalive")
                types, code = await headless.rest()
                assert (types, code) == (["ready", "error"], 1003)
                assert "header" in headless.said[-1]["message"]
            async with publishing(live.address(), container="webm", resume=token) as again:
                await again.media(data)
                assert (await finished(again))["live_edge"] == pytest.approx(3.0, abs=0.2)

    asyncio.run(go())


def test_a_trickle_of_bytes_is_a_live_publisher() -> None:
    """A byte at a time, each well within the silence limit; nothing can be decoded of it."""

    async def go() -> None:
        async with live_service(equipment(), IMPATIENT) as live:
            async with publishing(live.address(), container="webm") as slow:
                for byte in clip(webm(seconds=1))[:9]:
                    await slow.media(bytes([byte]))
                    await asyncio.sleep(0.25)
                assert [message["type"] for message in slow.said] == []
                ready = await slow.until("ready")
                assert ready["live_edge"] == 0.0
                types, code = await slow.rest()
            assert (types, code) == (["error"], 1001)

    asyncio.run(go())


def settings(silence: float) -> Settings:
    return replace(PATIENT, limits=replace(PATIENT.limits, silence=silence))


def test_a_pause_longer_than_silence_is_no_standstill() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), settings(1.5)) as live:
            async with publishing(live.address()) as publisher:
                await publisher.media(b"q" * 6)
                await publisher.tell(type="pause")
                for _ in range(6):
                    await asyncio.sleep(0.3)
                    await publisher.tell(type="keepalive")
                await publisher.tell(type="play")
                await publisher.media(b"q" * 4)
                summary = await finished(publisher)
            assert summary["live_edge"] == 10.0
            assert answers(publisher.said) == []

    asyncio.run(go())
