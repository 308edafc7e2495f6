"""Server-Sent Events over real sockets: resume, heartbeats, ends, refusals, readers that stall."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import httpx
import pytest

from clients.python.publisher import publish
from service import event_stream
from service.event_stream import Place
from service.settings import Limits, Settings
from service.viewer_pages import takes_events
from strad.wire.viewing import Withdraw
from tests.service.events import EventSource
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.test_server import HELLO, letters, until

pytestmark = pytest.mark.service


def source(live: LiveService, query: str = "") -> EventSource:
    return EventSource(f"http://127.0.0.1:{live.port}/v1/streams/news/events{query}")


async def everything(events: EventSource, client: httpx.AsyncClient) -> list[dict[str, Any]]:
    async with events.connect(client) as stream:
        return [event.message async for event in stream]


def test_a_whole_stream_is_told_and_then_no_more() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, httpx.AsyncClient() as client:
            watching = source(live)
            async with watching.connect(client) as stream:
                hello = await anext(stream)
                summary = await publish(live.address(), HELLO, letters("q" * 20))
                seen = [event async for event in stream]
            assert watching.headers["content-type"].startswith("text/event-stream")
            assert watching.headers["cache-control"] == "no-store"
            assert (hello.message["type"], hello.id, watching.retry) == ("hello", "", 2_000)
            assert [e.message["seq"] for e in seen] == list(range(1, len(seen) + 1))
            assert [e.id for e in seen] == [
                f"{hello.message['log']}:{n + 1}" for n in range(len(seen))
            ]
            assert sum(e.message["type"] == "ad" for e in seen) == summary.events >= 1
            assert seen[-1].message["type"] == "end"
            async with watching.connect(client):
                assert watching.status == 204

    asyncio.run(go())


def test_a_place_in_another_log_means_the_beginning() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, httpx.AsyncClient() as client:
            await publish(live.address(), HELLO, letters("q" * 10))
            whole = await everything(source(live), client)
            for strange in ("another-log:3", "another-log:99999", "", "nonsense", "a:b", ":4"):
                watching = source(live)
                watching.last_event_id = strange
                assert await everything(watching, client) == whole
            resumed = source(live, f"?log={whole[0]['log']}&after=2")
            assert (await everything(resumed, client))[1:] == whole[3:]
            header_first = source(live, f"?log={whole[0]['log']}&after=2")
            header_first.last_event_id = f"{whole[0]['log']}:4"
            assert (await everything(header_first, client))[1:] == whole[5:]

    asyncio.run(go())


def test_a_viewer_wishes_in_the_address() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, httpx.AsyncClient() as client:
            watching = source(live, "?kinds=text,name&extras=gaps,transcript")
            async with watching.connect(client) as stream:
                await anext(stream)
                await publish(live.address(), HELLO, letters("qqqqttqqqqttqqqq", 0.01))
                seen = [event async for event in stream]
            types = [event.message["type"] for event in seen]
            assert "ad" not in types
            assert {"gap", "words", "state", "end"} <= set(types)
            gaps = [e.message for e in seen if e.message["type"] == "gap" and "end" in e.message]
            assert [(gap["start"], gap["end"]) for gap in gaps] == [(0.0, 4.0), (6.0, 10.0)]
            numbered = [e for e in seen if "seq" in e.message]
            assert all(e.id.endswith(f":{e.message['seq']}") for e in numbered)

    asyncio.run(go())


def test_silence_is_filled_with_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT", 0.05)

    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, httpx.AsyncClient() as client:
            watching = source(live)
            async with watching.connect(client) as stream, asyncio.TaskGroup() as tasks:
                await anext(stream)
                reading = tasks.create_task(anext(stream, None))  # type: ignore[arg-type]
                await until(lambda: watching.comments >= 3)
                reading.cancel()

    asyncio.run(go())


def test_a_viewer_who_leaves_makes_room() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(viewers=1, drain=1.0))
        async with live_service(Workshop().equipment(), settings) as live:
            for _ in range(3):
                async with httpx.AsyncClient() as client, source(live).connect(client) as stream:
                    await anext(stream)
                    async with source(live).connect(client) as refused:
                        assert [event async for event in refused] == []
                    answer = await client.get(source(live).url)
                    assert answer.status_code == 503
                    assert answer.headers["retry-after"]
                    assert answer.json()["code"] == "overloaded"
                await until_nobody_waits(live)

    asyncio.run(go())


async def until_nobody_waits(live: LiveService) -> None:
    async with asyncio.timeout(5):
        while True:
            if not await live.station.streams.listing():
                return
            await asyncio.sleep(0.01)


def test_a_viewer_that_never_reads_is_cut_off_and_others_go_on() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(stall=0.5))
        async with live_service(Workshop().equipment(), settings) as live:
            raw = socket.create_connection(("127.0.0.1", live.port))
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            raw.sendall(b"GET /v1/streams/news/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            async with (
                httpx.AsyncClient() as client,
                source(live).connect(client) as stream,
                live.station.streams.viewing("news") as known,
                asyncio.TaskGroup() as tasks,
            ):
                await anext(stream)
                await until(lambda: known.viewers == 3)
                reading = tasks.create_task(_count(stream))

                def long(seq: int) -> Withdraw:
                    return Withdraw(seq=seq, id="x" * 200, at=0.0, reason="x" * 200)

                async with live.station.streams.publishing("news", _about()) as published:
                    async with asyncio.timeout(20):
                        while known.viewers > 2:
                            for _ in range(500):
                                await published.log.append(long)
                            await asyncio.sleep(0.05)
                    await published.end(None, None)
                    assert await reading == published.log.last
            await until(lambda: len(live.server.server_state.connections) <= 1)
            raw.close()

    asyncio.run(go())


async def _count(stream: Any) -> int:
    return sum([1 async for _ in stream])


def _about() -> Any:
    from strad.wire.viewing import About

    return About(describer="every-window", draft=True, delay=12.0, language="en")


def test_viewers_are_let_go_in_order_when_the_service_leaves() -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            httpx.AsyncClient() as client,
            source(live).connect(client) as stream,
            asyncio.timeout(5),
        ):
            await anext(stream)
            live.server.ask_to_stop()
            assert [event async for event in stream] == []

    asyncio.run(go())


@pytest.mark.parametrize(
    ("accept", "status"),
    [("application/json", 406), ("text/event-stream;q=0", 406), ("text/html, */*;q=0.1", 200)],
)
def test_only_who_takes_events_gets_them(accept: str, status: int) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), SETTINGS) as live:
            await publish(live.address(), HELLO, letters("qq"))
            async with httpx.AsyncClient() as client:
                answer = await client.get(source(live).url, headers={"Accept": accept})
                assert answer.status_code == status
                assert status == 200 or answer.json()["code"] == "not-acceptable"

    asyncio.run(go())


@pytest.mark.parametrize(
    ("header", "place"),
    [
        ("9f86:12", Place(12, "9f86")),
        ("a:b:3", Place(3, "a:b")),
        ("9f86:", None),
        ("9f86:-1", None),
        ("9f86:\u0661", None),
        (":1", None),
        ("12", None),
        ("a:" + "9" * 17, None),
    ],
)
def test_a_last_event_id_is_a_place_or_nothing(header: str, place: Place | None) -> None:
    assert Place.of(header) == place


def test_an_accept_header_is_read_as_the_rfc_has_it() -> None:
    assert all(map(takes_events, ["", "*/*", "text/*", "TEXT/EVENT-STREAM; charset=utf-8"]))
    assert not any(map(takes_events, ["application/*", "text/html", "text/event-stream; q=0"]))
