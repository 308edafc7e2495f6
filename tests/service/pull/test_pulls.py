"""Pulled streams over real sockets: started, watched, stopped, and refused for good reasons."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.python.viewer import watch
from service.security.caller import Scope
from service.security.keys import new_key, write_keys
from service.settings import Auth, Pull, Settings
from strad.wire.viewing import Ad, End
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.pull.origin import Origin, Page, serving
from tests.service.test_server import until

pytestmark = pytest.mark.service

PULL = Pull(allow=("127.0.0.1",), connect=2.0, silence=2.0, reconnects=0)


@asynccontextmanager
async def pulling(
    settings: Settings = SETTINGS, pull: Pull = PULL
) -> AsyncIterator[tuple[LiveService, Origin, httpx.AsyncClient]]:
    async with (
        serving() as origin,
        live_service(Workshop().equipment(), replace(settings, pull=pull)) as live,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{live.port}", trust_env=False) as http,
    ):
        yield live, origin, http


def asked(origin: Origin, path: str = "/a.webm", **more: Any) -> dict[str, Any]:
    return {"stream": "news", "url": origin.url(path), **more}


async def seen(live: LiveService, begun: asyncio.Event | None = None) -> list[object]:
    told = []
    async for message in watch(live.address()):
        told.append(message)
        if begun is not None:
            begun.set()
    return told


def test_a_url_is_described_at_the_speed_it_plays_to_its_end() -> None:
    async def go() -> None:
        async with pulling() as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qqqq")
            begun = asyncio.get_running_loop().time()
            answer = await http.post("/v1/streams", json=asked(origin))
            assert answer.status_code == 201, answer.text
            assert answer.json()["source"] == origin.url("/a.webm")
            told = await seen(live)
            took = asyncio.get_running_loop().time() - begun
            end = told[-1]
            assert isinstance(end, End)
            assert end.summary is not None
            assert end.summary.live_edge == 4.0
            assert 2.5 < took < 8.0
            assert any(isinstance(message, Ad) for message in told)
            assert (await http.get("/v1/streams/news/source")).json()["state"] == "ended"

    asyncio.run(go())


def test_a_pull_is_stopped_and_the_rest_is_said() -> None:
    async def go() -> None:
        async with pulling() as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qq" * 100, announced=10_000, silent=True)
            assert (await http.post("/v1/streams", json=asked(origin))).status_code == 201
            again = await http.post("/v1/streams", json=asked(origin))
            assert again.status_code == 409
            assert "being pulled already" in again.json()["message"]
            await until(lambda: live.station.streams.live == 1)
            stopped = await http.delete("/v1/streams/news")
            assert (stopped.status_code, stopped.json()["state"]) == (202, "ending")
            told = await seen(live)
            assert isinstance(told[-1], End)
            assert (await http.delete("/v1/streams/other")).status_code == 404

    asyncio.run(go())


def test_a_source_that_fails_ends_its_stream_and_the_reason_is_kept() -> None:
    async def go() -> None:
        async with pulling() as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qq", announced=9)
            await http.post("/v1/streams", json=asked(origin))
            told = await seen(live)
            assert isinstance(told[-1], End)
            report = (await http.get("/v1/streams/news/source")).json()
            assert report["error"]["code"] == "peer-gone"
            assert "broke off" in report["error"]["message"]

    asyncio.run(go())


REFUSED: list[tuple[dict[str, object], int, str]] = [
    ({"url": "file:///etc/passwd"}, 400, "refused-source"),
    ({"url": "http://169.254.169.254/latest"}, 400, "refused-source"),
    ({"url": "http://127.0.0.2/a.webm"}, 400, "refused-source"),
    ({"url": "rtmp://a.example/live"}, 400, "refused-source"),
    ({"url": "http://127.0.0.1:9/a.webm"}, 503, "peer-gone"),
    ({"url": "http://é.example/a.webm"}, 400, "refused-source"),
    ({"url": "http://127.0.0.1:9/é.webm"}, 400, "refused-source"),
    ({"describer": "oracle"}, 400, "bad-input"),
    ({"stream": "a/b"}, 422, "bad-input"),
    ({"language": "e_n"}, 422, "bad-input"),
    ({"stride": "nan"}, 422, "bad-input"),
    ({"more": 1}, 422, "bad-input"),
    ({"container": "framed"}, 422, "bad-input"),
]


def test_what_cant_be_pulled_is_refused_at_once() -> None:
    async def go() -> None:
        async with pulling() as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qq")
            for change, status, code in REFUSED:
                answer = await http.post("/v1/streams", json=asked(origin) | change)
                assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
                assert live.station.streams.live == 0

    asyncio.run(go())


def test_pulling_may_be_off_and_a_taken_name_stays_taken() -> None:
    async def go() -> None:
        async with pulling(pull=replace(PULL, on=False)) as (_, origin, http):
            answer = await http.post("/v1/streams", json=asked(origin))
            assert (answer.status_code, answer.json()["code"]) == (400, "refused-source")

    asyncio.run(go())


def test_leaving_drains_what_is_pulled() -> None:
    async def go() -> None:
        async with pulling() as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qqqq", announced=10_000, silent=True)
            await http.post("/v1/streams", json=asked(origin))
            async with asyncio.TaskGroup() as tasks:
                begun = asyncio.Event()
                viewing = tasks.create_task(seen(live, begun))
                await begun.wait()
                live.server.ask_to_stop()
                assert isinstance((await viewing)[-1], End)

    asyncio.run(go())


def test_a_pull_needs_the_right_to_publish_there_and_ends_with_its_key(tmp_path: Path) -> None:
    async def go() -> None:
        file = tmp_path / "keys.json"
        publisher, record = new_key([Scope.PUBLISH], ["news"])
        viewer, other = new_key([Scope.SUBSCRIBE])
        write_keys(file, [record, other])
        settings = replace(SETTINGS, auth=Auth(keys=str(file), streams=1))
        async with pulling(settings) as (live, origin, http):
            origin.pages["/a.webm"] = Page(b"qq", announced=10_000, silent=True)
            for key, wanted in ((viewer, "news"), (publisher, "sport")):
                answer = await http.post(
                    "/v1/streams",
                    json=asked(origin) | {"stream": wanted},
                    headers={"Authorization": f"Bearer {key}"},
                )
                assert answer.status_code == 403
            headers = {"Authorization": f"Bearer {publisher}"}
            answer = await http.post("/v1/streams", json=asked(origin), headers=headers)
            assert answer.status_code == 201
            await until(lambda: live.station.streams.live == 1)
            listed = await http.get("/v1/streams", headers={"Authorization": f"Bearer {viewer}"})
            assert [line["stream"] for line in listed.json()["streams"]] == ["news"]

    asyncio.run(go())
