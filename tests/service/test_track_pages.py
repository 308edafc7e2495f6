"""A stream's tracks over real sockets: whole files and HLS, while it is live and after its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import m3u8
import pytest

from clients.python.publisher import publish
from service import library, resume_keeper
from service.eventlog.memory import MemoryEventLog
from strad.predictions import PREDICTIONS
from strad.srt import read_srt
from strad.webvtt import read_webvtt
from strad.wire.viewing import Ad
from tests.fakes import WaitingDescriber
from tests.service.fakes import Workshop
from tests.service.live import LiveService, live_service
from tests.service.test_server import HELLO, letters, seen_by_viewer

pytestmark = pytest.mark.service

SECONDS = 60
DELAYED = HELLO.model_copy(update={"delay": 6.0})


@asynccontextmanager
async def page_reader(live: LiveService) -> AsyncIterator[httpx.AsyncClient]:
    """A client that begins at the stream ``news``."""
    base = f"http://127.0.0.1:{live.port}/v1/streams/news/"
    async with httpx.AsyncClient(base_url=base) as client:
        yield client


async def said(live: LiveService) -> list[Ad]:
    return [message for message in await seen_by_viewer(live) if isinstance(message, Ad)]


def test_every_track_holds_what_was_said() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, page_reader(live) as client:
            await publish(live.address(), HELLO, letters("q" * 30))
            ads = sorted(await said(live), key=lambda ad: ad.start)
            texts = [ad.text for ad in ads]
            vtt, srt, jsonl = [
                await client.get(f"descriptions.{kind}") for kind in ("vtt", "srt", "jsonl")
            ]
            assert [cue.text for cue in read_webvtt(vtt.text)] == texts
            assert "Draft audio description" in vtt.text
            assert [cue.text for cue in read_srt(srt.text)] == texts
            header, predictions = PREDICTIONS.read(jsonl.text.splitlines())
            assert [line.text for line in predictions] == texts
            assert header is not None
            assert header.draft
            kinds = [
                answer.headers["content-type"].partition(";")[0] for answer in (vtt, srt, jsonl)
            ]
            assert kinds == ["text/vtt", "application/x-subrip", "application/jsonl"]
            assert all("utf-8" in answer.headers["content-type"] for answer in (vtt, srt))

    asyncio.run(go())


@pytest.mark.parametrize("page", ["descriptions.vtt", "descriptions.srt", "descriptions.m3u8"])
def test_who_has_it_already_is_told_so(page: str) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, page_reader(live) as client:
            await publish(live.address(), HELLO, letters("q" * 30))
            first = await client.get(page)
            tag = first.headers["etag"]
            again = await client.get(page, headers={"If-None-Match": f'"other", W/{tag}'})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
            assert (await client.get(page, headers={"If-None-Match": '"x"'})).text == first.text
            await publish(live.address(), HELLO, letters("q" * 30))
            assert (await client.get(page, headers={"If-None-Match": tag})).status_code == 200

    asyncio.run(go())


def test_a_playlist_is_followed_while_the_stream_is_live() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, page_reader(live) as client:
            segments: dict[str, str] = {}
            listed: list[str] = []
            states: list[bool] = []
            async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
                media = letters("q" * SECONDS, 0.02)
                tasks.create_task(publish(live.address(), DELAYED, media))
                playlist: m3u8.M3U8 | None = None
                while playlist is None or not playlist.is_endlist:
                    answer = await client.get(
                        "descriptions.m3u8?segment=2&mpegts=900000&type=event"
                    )
                    if answer.status_code == 404:
                        assert answer.json()["code"] == "not-found"
                        await asyncio.sleep(0.05)
                        continue
                    playlist = m3u8.loads(answer.text)
                    uris = [segment.uri for segment in playlist.segments]
                    assert uris[: len(listed)] == listed
                    states.append(playlist.is_endlist)
                    for uri in uris[len(listed) :]:
                        segments[uri] = await read_segment(client, uri)
                    listed = uris
            assert playlist is not None
            assert states.count(False) >= 3
            assert (playlist.target_duration, playlist.media_sequence) == (2, 0)
            assert sum(segment.duration for segment in playlist.segments) >= SECONDS
            for uri, text in segments.items():
                assert await read_segment(client, uri) == text, uri
            cues = {cue for text in segments.values() for cue in read_webvtt(text)}
            assert cues == {ad.cue() for ad in await said(live)}
            assert "LOCAL:00:00:02.000,MPEGTS:1080000\n" in segments[listed[1]]

    asyncio.run(go())


async def read_segment(client: httpx.AsyncClient, uri: str) -> str:
    answer = await client.get(uri)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/vtt")
    return answer.text


def test_only_listed_segments_of_the_newest_log_are_given() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, page_reader(live) as client:
            await publish(live.address(), HELLO, letters("q" * 20))
            first = m3u8.loads((await client.get("descriptions.m3u8")).text).segments[0].uri
            statuses = [
                (await client.get(f"descriptions/{address}")).status_code
                for address in ("0.vtt", "900.vtt", "0.vtt?segment=0", "-1.vtt", "x.vtt")
            ]
            assert statuses == [200, 404, 422, 422, 422]
            assert (await client.get("descriptions/0.vtt")).headers["cache-control"] == "no-cache"
            await publish(live.address(), HELLO, letters("q" * 20))
            assert (await client.get(first)).status_code == 404

    asyncio.run(go())


def test_tracks_of_a_stream_nobody_published_are_not_there() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, page_reader(live) as client:
            for page in ("vtt", "srt", "jsonl", "m3u8"):
                answer = await client.get(f"descriptions.{page}")
                assert (answer.status_code, answer.json()) == (
                    404,
                    {"code": "not-found", "message": "no stream news", "retryable": False},
                )
            assert (await client.post("descriptions.vtt")).json()["code"] == "not-allowed"
            assert (await client.get("descriptions.doc")).json()["code"] == "not-found"

    asyncio.run(go())


def test_a_process_that_does_not_describe_the_stream_serves_its_playlist_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resume_keeper, "KEEP_EVERY", 0.1)
    monkeypatch.setattr(library, "LOOK_EVERY", 0.0)

    async def go() -> None:
        log = MemoryEventLog()
        quiet = Workshop(WaitingDescriber).equipment()
        async with (
            live_service(quiet, log=log) as here,
            live_service(quiet, log=log) as elsewhere,
            page_reader(elsewhere) as client,
            asyncio.timeout(30),
            asyncio.TaskGroup() as tasks,
        ):
            tasks.create_task(publish(here.address(), DELAYED, letters("q" * SECONDS, 0.06)))
            counts: list[int] = []
            while not counts or counts[-1] < SECONDS // 2:
                answer = await client.get("descriptions.m3u8?segment=2")
                if answer.status_code == 200:
                    counts.append(len(m3u8.loads(answer.text).segments))
                await asyncio.sleep(0.05)
            assert counts == sorted(counts)
            assert any(count < SECONDS // 2 for count in counts), "it went on before the end"

    asyncio.run(go())
