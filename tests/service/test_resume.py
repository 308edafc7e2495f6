"""A publisher that vanished comes back: the same timeline, nothing told twice, nothing lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.python.address import StreamAddress
from service.eventlog.log import EventLog
from service.eventlog.memory import MemoryEventLog
from service.eventlog.opening import open_event_log
from service.stream import Stream
from strad.wire.viewing import Ad, StreamState
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, live_service
from tests.service.publishing import LivePublisher, publishing, watched
from tests.service.redis_server import running_redis

pytestmark = pytest.mark.service

PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))


async def lose_connection(address: StreamAddress, letters: bytes, **hello: Any) -> str:
    """Publish a second a letter, then break off. The token to come back with."""
    async with publishing(address, **hello) as publisher:
        ready = await publisher.until("ready")
        await publisher.media(letters)
        await publisher.until("progress", live_edge=len(letters) - 0.5)
        publisher.break_off()
    token: str = ready["resume"]
    return token


async def finished(publisher: LivePublisher) -> dict[str, Any]:
    await publisher.tell(type="finish")
    summary = await publisher.until("summary")
    assert await publisher.rest() == ([], 1000)
    return summary


def check_timeline(ads: list[Ad], track: str) -> None:
    """Numbers rise by one, no AD lies on another, none is told twice, the track holds them all."""
    assert [ad.number for ad in ads] == list(range(1, len(ads) + 1))
    assert len({ad.text for ad in ads}) == len(ads)
    spans = sorted((ad.start, ad.end) for ad in ads)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert [line for line in track.splitlines() if line.startswith("thing")] == [
        ad.text for ad in sorted(ads, key=lambda ad: ad.start)
    ]


async def track_of(address: StreamAddress) -> str:
    url = address.media.replace("ws://", "http://").replace("/media", "/descriptions.vtt")
    async with httpx.AsyncClient() as client:
        return (await client.get(url)).text


@pytest.mark.parametrize("transcript", ["listen", "off"])
def test_a_lost_connection_is_resumed_on_the_same_timeline(transcript: str) -> None:
    workshop = Workshop()

    async def go() -> None:
        async with (
            live_service(workshop.equipment(), PATIENT) as live,
            asyncio.TaskGroup() as tasks,
        ):
            viewer = tasks.create_task(watched(live.address()))
            token = await lose_connection(live.address(), b"q" * 12, transcript=transcript)
            async with publishing(live.address(), resume=token, container="mp4") as again:
                ready = await again.until("ready")
                assert ready["live_edge"] == pytest.approx(12, abs=0.1)
                assert (ready["delay"], ready["resume"]) == (3.0, token)
                await again.media(b"q" * 12)
                summary = await finished(again)
            states, ads, end = await viewer
            check_timeline(ads, await track_of(live.address()))
        assert states == ["live", "interrupted", "live", "draining", "ended"]
        assert summary["live_edge"] == pytest.approx(24, abs=0.1)
        assert (summary["events"], len(workshop.describers)) == (len(ads), 1)
        assert any(ad.start > 12 for ad in ads)
        assert any(ad.end < 12 for ad in ads)
        assert end.summary is not None
        assert all(ears.closed for ears in workshop.ears)

    asyncio.run(go())


def test_media_that_overlaps_is_dropped_and_what_is_missing_is_left_alone() -> None:
    workshop = Workshop()

    async def go() -> list[Ad]:
        async with live_service(workshop.equipment(), PATIENT) as live:
            token = await lose_connection(live.address(), b"q" * 10)
            async with publishing(live.address(), resume=token, at=6.0) as again:
                await again.media(b"q" * 8)
                await again.until("progress", live_edge=13.5)
                again.break_off()
            async with publishing(live.address(), resume=token, at=30.0) as third:
                await third.media(b"q" * 10)
                summary = await finished(third)
            assert summary["live_edge"] == 40.0
            assert summary["skipped"] <= 5
            _, ads, _ = await watched(live.address())
            check_timeline(ads, await track_of(live.address()))
            return ads

    ads = asyncio.run(go())
    assert not any(ad.start < 30 and ad.end > 14 for ad in ads)
    assert any(ad.start >= 30 for ad in ads)
    times = [frame.t for window in workshop.describers[0].asked for frame in window.frames]
    assert not any(14_000 < t < 30_000 for t in times)
    for window in workshop.describers[0].asked:
        frames = [frame.t for frame in window.frames]
        assert frames == sorted(set(frames))


@pytest.mark.parametrize(
    ("hello", "code", "close"),
    [
        ({"resume": "{log}.not-its-secret"}, "unauthorized", 1008),
        ({"resume": "nonsense"}, "unauthorized", 1008),
        ({"resume": "0123456789abcdef.secret"}, "unknown-log", 1008),
        ({"resume": "{token}", "at": 900.0}, "protocol", 1002),
        ({}, "taken", 1013),
    ],
)
def test_who_may_not_go_on_is_refused_and_the_stream_waits_on(
    hello: dict[str, Any], code: str, close: int
) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), PATIENT) as live:
            token = await lose_connection(live.address(), b"q" * 6)
            filled = {
                key: value.format(token=token, log=token.split(".")[0])
                if isinstance(value, str)
                else value
                for key, value in hello.items()
            }
            async with publishing(live.address(), **filled) as other:
                assert await other.rest() == (["error"], close)
                assert other.said[-1]["code"] == code
            async with publishing(live.address(), resume=token) as again:
                await again.media(b"qq")
                assert (await finished(again))["live_edge"] == 8.0

    asyncio.run(go())


def test_a_token_is_of_one_stream_only() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), PATIENT) as live:
            token = await lose_connection(live.address("news"), b"q" * 6)
            async with publishing(live.address("sport"), resume=token) as other:
                assert await other.rest() == (["error"], 1008)
                assert other.said[-1]["code"] == "unknown-log"

    asyncio.run(go())


def test_after_the_grace_time_the_stream_has_ended() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            token = await lose_connection(live.address(), b"q" * 6)
            states, _, _ = await watched(live.address())
            assert states == ["live", "interrupted", "draining", "ended"]
            async with publishing(live.address(), resume=token) as late:
                assert await late.rest() == (["error"], 1008)
                assert late.said[-1]["code"] == "unknown-log"
                assert "publish it anew" in late.said[-1]["message"]
            async with publishing(live.address()) as anew:
                await anew.media(b"qq")
                assert (await finished(anew))["live_edge"] == 2.0

    asyncio.run(go())


def test_the_newest_connection_counts() -> None:
    """The first hangs: its publisher has lost it, and the service doesn't know yet."""

    async def go() -> None:
        async with (
            live_service(Workshop().equipment(), PATIENT) as live,
            publishing(live.address()) as first,
        ):
            token = (await first.until("ready"))["resume"]
            await first.media(b"q" * 4)
            await first.until("progress", live_edge=3.5)
            async with publishing(live.address(), resume=token) as second:
                assert await first.rest() == (["error"], 1001)
                assert first.said[-1]["code"] == "not-owned"
                await second.media(b"q" * 4)
                assert (await finished(second))["live_edge"] == 8.0

    asyncio.run(go())


def test_a_return_whose_media_is_bad_ends_the_connection_and_not_the_stream() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), PATIENT) as live:
            token = await lose_connection(live.address(), b"q" * 6)
            async with publishing(live.address(), resume=token) as bad:
                await bad.media(b"x")
                assert await bad.rest() == (["ready", "error"], 1003)
            async with publishing(live.address(), resume=token) as again:
                await again.media(b"qq")
                assert (await finished(again))["live_edge"] == 8.0

    asyncio.run(go())


def test_captions_go_on_from_where_they_were_final() -> None:
    workshop = Workshop()

    async def go() -> None:
        async with live_service(workshop.equipment(), PATIENT) as live:
            address = live.address()
            async with publishing(address, transcript="captions", gaps="transcript") as first:
                token = (await first.until("ready"))["resume"]
                cue = {"start": 1.0, "end": 2.0, "text": "good evening"}
                await first.tell(type="captions", cues=[cue], until=50.0)
                await first.media(b"q" * 8)
                await first.until("progress", live_edge=7.5)
                first.break_off()
            async with publishing(address, resume=token) as again:
                assert (await again.until("ready"))["captions"] == 50.0
                await again.media(b"q" * 8)
                assert (await finished(again))["events"] > 1

    asyncio.run(go())
    words = [word.text for word in workshop.describers[0].asked[-1].words]
    assert words == ["good", "evening"]


@asynccontextmanager
async def one_log(kept: str, folder: Path) -> AsyncIterator[tuple[EventLog, EventLog]]:
    """The event log as two replicas have it; SQLite and memory are of one process."""
    match kept:
        case "memory":
            log = MemoryEventLog()
            yield log, log
        case "sqlite":
            async with open_event_log(f"sqlite:{folder / 'log.sqlite'}") as shared:
                yield shared, shared
        case _:
            with running_redis(folder) as redis:
                async with (
                    open_event_log(redis.address) as one,
                    open_event_log(redis.address) as other,
                ):
                    yield one, other


@pytest.mark.parametrize(
    "kept", ["memory", "sqlite", pytest.param("redis", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("lost", [True, False])
def test_a_stream_goes_on_at_another_replica(lost: bool, kept: str, tmp_path: Path) -> None:
    """``lost``: the connection is; else the first replica still holds it open."""
    first = Workshop()
    second = Workshop(lambda: EveryWindowDescriber(text=lambda n: f"thing{n + 500} rises{n}"))

    async def go() -> set[str]:
        async with (
            one_log(kept, tmp_path) as logs,
            live_service(first.equipment(), PATIENT, logs[0]) as one,
            live_service(second.equipment(), PATIENT, logs[1]) as other,
            asyncio.TaskGroup() as tasks,
        ):
            viewer = tasks.create_task(watched(other.address()))
            async with publishing(one.address()) as publisher:
                token = (await publisher.until("ready"))["resume"]
                await publisher.media(b"q" * 12)
                await publisher.until("progress", live_edge=11.5)
                await asyncio.sleep(0.2)
                if lost:
                    publisher.break_off()
                async with publishing(other.address(), resume=token, at=12.0) as again:
                    ready = await again.until("ready")
                    assert 0 <= ready["live_edge"] <= 12.1
                    assert ready["delay"] == 3.0
                    if not lost:
                        assert await publisher.rest() == (["error"], 1001)
                    await again.media(b"q" * 12)
                    summary = await finished(again)
            states, ads, _ = await viewer
            check_timeline(ads, await track_of(one.address()))
        assert (states[0], *states[-2:]) == ("live", "draining", "ended")
        assert (summary["live_edge"], summary["events"]) == (24.0, len(ads))
        assert ads[0].end < 12 < ads[-1].start
        return {ad.text for ad in ads if ad.end < 12}

    before = asyncio.run(go())
    context = {cue.text for window in second.describers[0].asked for cue in window.history}
    assert before & context


def test_viewers_hear_of_draining_though_the_rest_is_said_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The log takes a second for it, longer than the rest of the stream."""
    move = Stream.move

    async def slowly(stream: Stream, state: StreamState) -> None:
        if state is StreamState.DRAINING:
            await asyncio.sleep(1.0)
        await move(stream, state)

    async def go() -> list[str]:
        async with (
            live_service(Workshop(lambda: EveryWindowDescriber(0.7)).equipment()) as live,
            asyncio.TaskGroup() as tasks,
        ):
            viewer = tasks.create_task(watched(live.address()))
            async with publishing(live.address()) as publisher:
                await publisher.media(b"q" * 6)
                await finished(publisher)
            return (await viewer)[0]

    monkeypatch.setattr(Stream, "move", slowly)
    assert asyncio.run(go()) == ["live", "draining", "ended"]
