"""SIGTERM under load: who is told what, in which order, and how the stream goes on elsewhere."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clients.python.address import StreamAddress
from clients.python.publisher import publish
from clients.python.resuming import Take, publish_on
from service.eventlog.opening import open_event_log
from strad.cues import Cue
from strad.errors import OverloadedError
from strad.predictions import PREDICTIONS, Prediction
from strad.timeline import Interval
from strad.wire.answering import Answer
from tests.fakes import EveryWindowDescriber
from tests.service.eventlog.kinds import Kind
from tests.service.fakes import HangingDescriber, Workshop
from tests.service.live import SETTINGS, LiveService, free_port, live_service
from tests.service.publishing import LivePublisher, publishing
from tests.service.test_processes import finish, read_until_ad, strad, wait_for
from tests.service.test_remux import film
from tests.service.test_server import HELLO, letters, until

pytestmark = pytest.mark.service

PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))


async def all_told(socket: ClientConnection) -> tuple[list[dict[str, Any]], int]:
    """All a viewer is told over one connection, and the code it is closed with."""
    told: list[dict[str, Any]] = []
    while True:
        try:
            async with asyncio.timeout(10):
                told.append(json.loads(await socket.recv()))
        except ConnectionClosed as closed:
            return told, closed.rcvd.code if closed.rcvd else 0


async def all_events(live: LiveService, name: str = "news") -> list[str]:
    """The ids of all a viewer of Server-Sent Events is told, to the end of the answer."""
    url = f"http://127.0.0.1:{live.port}/v1/streams/{name}/events"
    async with httpx.AsyncClient(timeout=10) as client:
        answer = await client.get(url, headers={"Accept": "text/event-stream"})
    return [line.removeprefix("id: ") for line in answer.text.splitlines() if line[:3] == "id:"]


async def said_so_far(publisher: LivePublisher, live: LiveService, least: int) -> None:
    """Publish until so many descriptions are announced."""
    await publisher.until("ready")
    for _ in range(20):
        await publisher.media(b"q")
        await asyncio.sleep(0.03)  # as a programme comes: bit by bit
    (publication,) = live.station.publications
    await until(lambda: len(publication.quality.ads) >= least)


async def go_on(kind: Kind, token: str, told: list[dict[str, Any]]) -> None:
    """At another process the publisher goes on, and a viewer gets what came since."""
    others = Workshop(lambda: EveryWindowDescriber(text=lambda n: f"item{n} rises{n}"))
    async with (
        kind.open() as log,
        live_service(others.equipment(), PATIENT, log) as live,
        publishing(live.address(), resume=token) as publisher,
    ):
        ready = await publisher.until("ready")
        assert 0 < ready["live_edge"] <= 20.0
        for _ in range(20):
            await publisher.media(b"q")
            await asyncio.sleep(0.03)
        await publisher.tell(type="finish")
        await publisher.until("summary")
        after = StreamAddress.parse(f"http://127.0.0.1:{live.port}/v1/streams/news")
        async with connect(after.events(told[-1]["seq"]), proxy=None) as socket:
            rest, code = await all_told(socket)
    assert code == 1000
    seen = told + [m for m in rest if m.get("seq")]
    assert [m["seq"] for m in seen] == list(range(1, len(seen) + 1))
    ads = [m for m in seen if m["type"] == "ad"]
    assert len({m["id"] for m in ads}) == len(ads) >= 4
    assert len({m["text"] for m in ads}) == len(ads)
    assert seen[-1]["type"] == "end"


def test_streams_in_a_lasting_log_are_handed_over(kind: Kind) -> None:
    """Publisher: draining with the token, an error, 1001. Viewers: interrupted, then 1001."""
    if not kind.lasts:
        pytest.skip("a log in memory outlives no process")

    async def go() -> None:
        async with (
            kind.open() as log,
            live_service(Workshop().equipment(), PATIENT, log) as live,
            AsyncExitStack() as stack,
            asyncio.TaskGroup() as tasks,
        ):
            publisher = await stack.enter_async_context(publishing(live.address()))
            await said_so_far(publisher, live, 2)
            sockets = [
                await stack.enter_async_context(connect(live.address().events(), proxy=None))
                for _ in range(3)
            ]
            viewers = [tasks.create_task(all_told(socket)) for socket in sockets]
            events = tasks.create_task(all_events(live))
            await until(lambda: live.station.streams.viewers == 4)
            live.server.ask_to_stop()
            draining = await publisher.until("draining")
            assert await publisher.rest() == (["error"], 1001)
            refused = publisher.said[-1]
        assert draining["reason"] == "shutdown"
        assert (refused["code"], refused["retryable"]) == ("peer-gone", True)
        told = [await viewer for viewer in viewers]
        assert {code for _, code in told} == {1001}
        for messages, _ in told:
            assert [m["state"] for m in messages if m["type"] == "state"][-1] == "interrupted"
            assert messages[-1]["type"] == "state"
        first = [m for m in told[0][0] if m.get("seq")]
        assert [event.rpartition(":")[2] for event in await events] == [
            str(m["seq"]) for m in first
        ]
        await go_on(kind, draining["resume"], first)

    asyncio.run(go())


def test_with_hand_over_off_a_lasting_stream_is_drained_and_ended(tmp_path: Path) -> None:
    async def go() -> None:
        settings = replace(PATIENT, hand_over=False)
        async with (
            open_event_log(f"sqlite:{tmp_path / 'log'}") as log,
            live_service(Workshop().equipment(), settings, log) as live,
            publishing(live.address()) as publisher,
        ):
            await said_so_far(publisher, live, 1)
            live.server.ask_to_stop()
            draining = await publisher.until("draining")
            assert draining.get("resume") is None
            assert await publisher.rest() == (["summary", "error"], 1001)

    asyncio.run(go())


class Letters:
    """Forty seconds of media that can be begun again."""

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``."""
        at = None if since is None else 0.0
        yield Take(HELLO.container, letters("q" * 40, 0.02), at)


def test_a_client_that_resumes_goes_on_by_itself(tmp_path: Path) -> None:
    """``publish_on`` with two services on one port, one after the other."""

    async def go() -> None:
        heard: list[Answer] = []
        spec = f"sqlite:{tmp_path / 'log'}"
        async with asyncio.TaskGroup() as tasks:
            async with (
                open_event_log(spec) as log,
                live_service(Workshop().equipment(), PATIENT, log) as live,
            ):
                publishing = tasks.create_task(
                    publish_on(live.address(), HELLO, Letters(), heard.append)
                )
                await until(lambda: any(getattr(m, "live_edge", 0) > 5 for m in heard))
                live.server.ask_to_stop()
            settings = replace(PATIENT, port=live.port)
            async with (
                open_event_log(spec) as log,
                live_service(Workshop().equipment(), settings, log),
            ):
                summary = await publishing
        assert summary.live_edge == 40.0
        assert [m.type for m in heard if m.type in ("ready", "draining", "summary")] == [
            *("ready", "draining", "ready", "draining", "summary")
        ]

    asyncio.run(go())


def test_readiness_goes_first_and_nobody_new_is_taken() -> None:
    async def go() -> None:
        workshop = Workshop(HangingDescriber)
        async with (
            live_service(workshop.equipment()) as live,
            publishing(live.address()) as publisher,
        ):
            await publisher.until("ready")
            await publisher.media(b"q" * 10)
            await publisher.until("progress", live_edge=9.0)
            live.server.ask_to_stop()
            await publisher.until("draining")
            async with httpx.AsyncClient() as client:
                answer = await client.get(f"http://127.0.0.1:{live.port}/readyz")
                health = await client.get(f"http://127.0.0.1:{live.port}/healthz")
            assert answer.status_code == 503
            assert answer.json()["reasons"][0].startswith("draining")
            assert health.json() == {"status": "draining"}
            with pytest.raises(OverloadedError, match="shutting down"):
                await publish(live.address("two"), HELLO, letters("q"))
            rest, code = await publisher.rest()
            assert (rest[-2:], code) == (["summary", "error"], 1001)

    asyncio.run(go())


def test_a_second_signal_ends_it_at_once() -> None:
    async def go() -> float:
        settings = replace(SETTINGS, limits=replace(SETTINGS.limits, drain=60.0))
        clock = asyncio.get_running_loop().time
        async with (
            live_service(Workshop(HangingDescriber).equipment(), settings) as live,
            publishing(live.address()) as publisher,
        ):
            await publisher.until("ready")
            await publisher.media(b"q" * 10)
            live.server.ask_to_stop()
            await publisher.until("draining")
            begun = clock()
            live.server.ask_to_stop()
        return clock() - begun

    assert asyncio.run(go()) < 5.0


@pytest.mark.slow
def test_a_real_process_is_stopped_under_load_and_another_goes_on(tmp_path: Path) -> None:
    """``strad push`` and three ``strad listen`` over two ``strad serve``, one after the other."""
    media = film(tmp_path / "film.mp4", seconds=14)
    config, script, port = tmp_path / "strad.toml", tmp_path / "lines.jsonl", str(free_port())
    config.write_text(f'log = "sqlite:{tmp_path / "log.db"}"\n')
    cues = [Cue(Interval(n * 2_000, n * 2_000 + 1_500), f"Line {n}.") for n in range(20)]
    script.write_text(PREDICTIONS.write(Prediction.of("news", cue) for cue in cues))
    words = ("--port", port, "--describer", f"scripted:{script}", "--config", str(config))
    address = f"http://127.0.0.1:{port}"
    url = f"{address}/v1/streams/film"
    with ExitStack() as stack:
        with strad("serve", "--asr", "off", *words) as server:
            wait_for(address)
            viewers = [stack.enter_context(strad("listen", "--jsonl", url)) for _ in range(3)]
            publisher = stack.enter_context(strad("push", str(media), "--to", url, "--delay", "4"))
            read_until_ad(viewers[0])
            server.send_signal(signal.SIGTERM)
            code, _, err = finish(server, 60)
            assert (code, "Traceback" in err) == (0, False), err
            assert "is left to another process" in err
        with strad("serve", "--asr", "off", *words):
            wait_for(address)
            code, _, err = finish(publisher, 60)
            assert code == 0, err
            told = [finish(viewer, 60) for viewer in viewers]
            track = httpx.get(f"{url}/descriptions.vtt").text
    assert [code for code, _, _ in told] == [0, 0, 0]
    for _, out, _ in told[1:]:
        messages = [m for m in map(json.loads, out.splitlines()) if m.get("seq")]
        assert [m["seq"] for m in messages] == list(range(1, len(messages) + 1))
        ads = [m["text"] for m in messages if m["type"] == "ad"]
        assert sorted(ads) == sorted(re.findall(r"Line \d+\.", track))
        assert len(set(ads)) == len(ads) >= 4
