"""Fetching over real sockets: guarded at every step, bounded in every way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from service.pull import hls
from service.pull.network import Resolver, system_resolver
from service.pull.remote import open_remote, protocol_of
from service.settings import Pull
from strad.errors import InputError, MediaError, PeerGoneError, RefusedSourceError
from strad.wire.publishing import Container
from tests.service.pull.origin import Page, serving

pytestmark = pytest.mark.service

OPEN = Pull(allow=("127.0.0.1",), connect=2.0, silence=0.5, reconnects=1, redirects=2)
"""Lets the tests' own server be reached, which is on loopback."""


def resolver(**names: Sequence[str]) -> Resolver:
    """A resolver that knows these names, each answer used once and the last one for ever."""
    left = {name.replace("_", "."): [*answers] for name, answers in names.items()}

    async def resolve(host: str, port: int) -> Sequence[str]:
        if host not in left:
            return await system_resolver(host, port)
        answers = left[host]
        return [answers.pop(0) if len(answers) > 1 else answers[0]]

    return resolve


async def fetched(
    url: str,
    settings: Pull = OPEN,
    container: Container | None = None,
    resolve: Resolver = system_resolver,
) -> tuple[Container, bytes]:
    async with asyncio.timeout(10), open_remote(url, settings, container, resolve) as remote:
        return remote.container, b"".join([chunk async for chunk in remote.chunks])


async def refused(url: str, settings: Pull = OPEN, resolve: Resolver = system_resolver) -> str:
    with pytest.raises((InputError, PeerGoneError)) as error:
        await fetched(url, settings, Container.WEBM, resolve)
    return f"{error.value.code}: {error.value}"


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "ftp://a.example/x",
        "concat:a|b",
        "subfile,,start,0,end,9,,:/etc/passwd",
        "data:video/webm;base64,AAAA",
        "rtmp://a.example/live",
        "rtsp://a.example/live",
        "srt://a.example:9000",
        "unix:///tmp/x.sock",
        "http://",
        "http:///x",
        "https://a.example:99999/",
        "http://a.example/\r\nHost: b",
        "//a.example/x",
        "a.example/x",
        "http://[::1/x",
        "x" * 5_000,
    ],
)
def test_only_http_urls_are_fetched(url: str) -> None:
    with pytest.raises(RefusedSourceError):
        protocol_of(url)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "[::1]",
     "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254"],
)  # fmt: skip
def test_this_machine_and_metadata_are_refused_however_written(host: str) -> None:
    async def go() -> None:
        async with serving() as origin:
            origin.pages["/a.webm"] = Page(b"secret")
            said = await refused(origin.url("/a.webm", host), Pull(connect=2.0))
            assert said.startswith("refused-source"), said
            assert origin.asked == []

    asyncio.run(go())


def test_what_a_name_resolves_to_is_looked_at_all_of_it() -> None:
    async def both(host: str, port: int) -> Sequence[str]:
        return ["8.8.8.8", "127.0.0.1"]

    async def go() -> None:
        said = await refused("http://a.example/x.webm", Pull(), both)
        assert said.startswith("refused-source")

    asyncio.run(go())


def test_a_name_that_changes_its_mind_gains_nothing() -> None:
    """DNS rebinding: what is connected to is what was looked at, and each time anew."""

    async def go() -> None:
        async with serving() as origin:
            origin.pages["/a.m3u8"] = Page(b"#EXTM3U\n#EXTINF:4,\nb.ts\n#EXT-X-ENDLIST\n")
            origin.pages["/b.ts"] = Page(b"secret")
            rebinding = resolver(a_example=["127.0.0.1", "127.0.0.2"])
            said = await refused(origin.url("/a.m3u8", "a.example"), OPEN, rebinding)
            assert said.startswith("refused-source")
            assert origin.asked == ["/a.m3u8"]

    asyncio.run(go())


@pytest.mark.parametrize(
    "target",
    ["http://127.0.0.2:{port}/x", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd",
     "http://localhost.example:{port}/x", "gopher://127.0.0.1:{port}/x"],
)  # fmt: skip
def test_redirects_are_judged_like_any_url(target: str) -> None:
    async def go() -> None:
        async with serving() as origin:
            there = target.format(port=origin.port)
            origin.pages["/a.webm"] = Page(status="302 Found", headers={"Location": there})
            origin.pages["/x"] = Page(b"secret")
            resolve = resolver(localhost_example=["127.0.0.3"])
            said = await refused(origin.url("/a.webm"), OPEN, resolve)
            assert said.startswith("refused-source"), said
            assert origin.asked == ["/a.webm"]

    asyncio.run(go())


def test_segments_of_a_playlist_are_judged_like_any_url() -> None:
    async def go() -> None:
        async with serving() as origin:
            for uri in ("http://127.0.0.2/x.ts", "file:///etc/passwd", "//169.254.169.254/x.ts"):
                text = f"#EXTM3U\n#EXTINF:4,\n{uri}\n#EXT-X-ENDLIST\n"
                origin.pages["/a.m3u8"] = Page(text.encode())
                said = await refused(origin.url("/a.m3u8"))
                assert said.startswith("refused-source"), said

    asyncio.run(go())


def test_good_redirects_are_followed_so_far_and_passwords_stay_at_home() -> None:
    async def go() -> None:
        async with serving() as origin, serving() as other:
            url = origin.url("/a.webm").replace("//", "//ada:pass%20word@")
            origin.pages["/a.webm"] = Page(status="307 X", headers={"Location": "/b.webm"})
            there = {"Location": other.url("/c.webm")}
            origin.pages["/b.webm"] = Page(status="301 X", headers=there)
            other.pages["/c.webm"] = Page(b"media")
            assert await fetched(url) == (Container.WEBM, b"media")
            assert "Authorization: Basic YWRhOnBhc3Mgd29yZA==" in origin.heads[1]
            assert "Authorization" not in other.heads[0]
            origin.pages["/b.webm"] = Page(status="301 X", headers={"Location": "/a.webm"})
            said = await refused(url)
            assert "more than 2 redirects" in said
            assert "pass" not in said

    asyncio.run(go())


def test_the_container_is_told_by_the_server_the_name_or_the_caller() -> None:
    async def go() -> None:
        async with serving() as origin:
            origin.pages["/a"] = Page(b"x", headers={"Content-Type": "video/mp2t; q=1"})
            origin.pages["/b.MKV?x=1.ts"] = Page(b"x", headers={"Content-Type": "text/plain"})
            origin.pages["/c"] = Page(b"x")
            assert (await fetched(origin.url("/a")))[0] is Container.MPEGTS
            assert (await fetched(origin.url("/b.MKV?x=1.ts")))[0] is Container.MATROSKA
            found = await fetched(origin.url("/c"), container=Container.FLV)
            assert found[0] is Container.FLV
            with pytest.raises(MediaError, match="name its container"):
                await fetched(origin.url("/c"))

    asyncio.run(go())


def test_a_source_that_is_away_silent_or_breaks_off_is_said_so() -> None:
    async def go() -> None:
        async with serving() as origin:
            origin.pages["/silent.webm"] = Page(b"x", announced=9, silent=True)
            origin.pages["/short.webm"] = Page(b"x", announced=9)
            origin.pages["/oops.webm"] = Page(status="503 Later")
            assert "can't be reached" in await refused("http://127.0.0.1:9/x.webm")
            assert "broke off" in await refused(origin.url("/silent.webm"))
            assert "broke off" in await refused(origin.url("/short.webm"))
            assert "answered 404" in await refused(origin.url("/none.webm"))
            assert "answered 503" in await refused(origin.url("/oops.webm"))

    asyncio.run(go())


def test_a_transport_stream_that_breaks_off_is_asked_for_again_so_often() -> None:
    async def go() -> None:
        async with serving() as origin:
            origin.pages["/live.ts"] = Page(b"ts", announced=9)
            with pytest.raises(PeerGoneError, match="broke off"):
                await fetched(origin.url("/live.ts"), replace(OPEN, reconnects=2))
            assert len(origin.asked) == 3

    asyncio.run(go())


def test_a_finished_playlist_is_fetched_whole_with_its_best_variant() -> None:
    async def go() -> None:
        async with serving() as origin:
            master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=640x360\nv/i.m3u8\n"
            kind = {"Content-Type": "application/vnd.apple.mpegurl"}
            origin.pages["/index"] = Page(master.encode(), headers=kind)
            text = (
                '#EXTM3U\n#EXT-X-MAP:URI="all.mp4",BYTERANGE="2@0"\n#EXT-X-BYTERANGE:3@2\nall.mp4\n'
                "#EXT-X-BYTERANGE:2\nall.mp4\n#EXT-X-ENDLIST\n"
            )
            origin.pages["/v/i.m3u8"] = Page(text.encode())
            origin.pages["/v/all.mp4"] = Page(b"HHaaabbrest")
            assert await fetched(origin.url("/index")) == (Container.MP4, b"HHaaabb")

    asyncio.run(go())


def live_playlist(first: int, count: int, *, ended: bool = False) -> Page:
    lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:0.5", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    lines += [f"{n}.ts" for n in range(first, first + count)]
    return Page("\n".join([*lines, *(["#EXT-X-ENDLIST"] if ended else [])]).encode())


def test_a_live_playlist_is_followed_from_near_its_end_each_segment_once() -> None:
    async def go() -> None:
        async with serving() as origin:
            states = iter(
                [live_playlist(0, 5), live_playlist(1, 5), live_playlist(1, 5),
                 live_playlist(3, 5, ended=True)]
            )  # fmt: skip
            origin.pages["/i.m3u8"] = lambda: next(states)
            for n in (2, 3, 5, 6, 7):
                origin.pages[f"/{n}.ts"] = Page(str(n).encode())
            assert await fetched(origin.url("/i.m3u8")) == (Container.MPEGTS, b"23567")
            assert "/4.ts" in origin.asked, "gone when it was asked for"

    asyncio.run(go())


def test_a_live_playlist_that_stands_still_or_goes_away_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hls, "STANDS_STILL", 1.0)

    async def go() -> None:
        async with serving() as origin:
            origin.pages["/i.m3u8"] = live_playlist(0, 1)
            origin.pages["/0.ts"] = Page(b"0")
            assert "stands still" in await refused(origin.url("/i.m3u8"))
            states = iter([live_playlist(0, 1)])
            gone = Page(status="503 Gone")
            origin.pages["/i.m3u8"] = lambda: next(states, gone)
            assert "answered 503" in await refused(origin.url("/i.m3u8"))

    asyncio.run(go())


def test_no_playlist_and_no_segment_is_longer_than_it_may_be() -> None:
    async def go() -> None:
        async with serving() as origin:
            small = replace(OPEN, max_playlist=100, max_segment=10)
            origin.pages["/long.m3u8"] = Page(b"#EXTM3U\n" + b"#" * 200)
            origin.pages["/i.m3u8"] = live_playlist(0, 1, ended=True)
            assert "answered 404" in await refused(origin.url("/i.m3u8"), small)
            origin.pages["/0.ts"] = Page(b"x" * 11)
            assert "over 100 bytes" in await refused(origin.url("/long.m3u8"), small)
            assert "over 10 bytes" in await refused(origin.url("/i.m3u8"), small)

    asyncio.run(go())
