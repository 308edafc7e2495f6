"""hls.js in real Chromium plays a video with our descriptions as its subtitles rendition."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clients.python.publisher import publish
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.hls_video import SEGMENT, media_playlist, segments
from tests.service.fakes import Workshop
from tests.service.live import LiveService, live_service
from tests.service.test_server import HELLO, seen_by_viewer

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

FIRST_PTS = 900_000
"""The video's clock at stream time 0: ten seconds, as if a packager had been on for a while."""

FAST = 200
"""Seconds of media a second."""

BEGUN = 8
"""Seconds that a live stream has been on when somebody begins to watch, who is as far behind."""

DESCRIPTIONS = "/v1/streams/news/descriptions.m3u8?segment=2&mpegts=900000&type=event"

MASTER = f"""#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="ad",NAME="Audio description",LANGUAGE="en",\
AUTOSELECT=YES,DEFAULT=YES,FORCED=NO,URI="{DESCRIPTIONS}"
#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42c00a",SUBTITLES="ad"
video.m3u8
"""

PAGE = """<!doctype html><html lang="en"><title>player</title>
<link rel="icon" href="data:,"><video muted width="160" height="96"></video>
<script src="hls.min.js"></script><script>
const video = document.querySelector("video");
const errors = [], shown = [];
const hls = new Hls({liveSyncDurationCount: 4, enableWorker: false});
hls.on(Hls.Events.ERROR, (_, data) => errors.push([data.details, data.fatal]));
hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => { hls.subtitleTrack = 0; });
video.textTracks.addEventListener("addtrack", ({track}) =>
  track.addEventListener("cuechange", () => {
    for (const cue of track.activeCues || [])
      shown.push([video.currentTime, cue.startTime, cue.endTime, cue.text]);
  }));
hls.loadSource("master.m3u8");
hls.attachMedia(video);
function cues() {
  return [...video.textTracks].flatMap(t => [...(t.cues || [])])
    .map(c => [c.startTime, c.endTime, c.text]);
}
</script></html>"""


async def serve_player(page: Page, video: list[bytes], playlist: Callable[[], str]) -> None:
    """The player's own files, at the service's origin."""
    files: dict[str, tuple[str, Callable[[], bytes]]] = {
        "": ("text/html", PAGE.encode),
        "hls.min.js": ("text/javascript", lambda: npm_file("hls.js/dist/hls.min.js")),
        "master.m3u8": ("application/vnd.apple.mpegurl", MASTER.encode),
        "video.m3u8": ("application/vnd.apple.mpegurl", lambda: playlist().encode()),
    }
    for n, data in enumerate(video):
        files[f"{n}.ts"] = ("video/mp2t", lambda data=data: data)  # type: ignore[misc]

    async def answer(route: Route) -> None:
        kind, read = files[route.request.url.rpartition("/player/")[2]]
        await route.fulfill(body=read(), content_type=kind)

    await page.route("**/player/**", answer)


def origin(live: LiveService) -> str:
    return f"http://127.0.0.1:{live.port}/player/"


async def quiet(seconds: int, speed: float, at_once: int = 0) -> AsyncIterator[bytes]:
    """``at_once``: seconds that are over when it begins."""
    for n in range(seconds):
        yield b"q"
        await asyncio.sleep(1 / (speed if n >= at_once else FAST))


async def ads_of(live: LiveService) -> dict[str, Ad]:
    return {m.text: m for m in await seen_by_viewer(live) if isinstance(m, Ad)}


async def evaluated(page: Page, script: str) -> Any:
    return await page.evaluate(script)


def test_cues_of_a_stream_that_has_ended_lie_where_they_were_said(tmp_path: Path) -> None:
    npm_file("hls.js/dist/hls.min.js")
    video = segments(20, FIRST_PTS)

    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            await publish(live.address(), HELLO, quiet(20, FAST))
            said = await ads_of(live)
            async with open_page(tmp_path) as page:
                ended = media_playlist(len(video), ended=True)
                await serve_player(page, video, lambda: ended)
                await page.goto(origin(live))
                await page.wait_for_function(f"cues().length >= {len(said)}")
                cues = await evaluated(page, "cues()")
                check_times(cues, said)
                first = min(said.values(), key=lambda ad: ad.start)
                middle = (first.start + first.end) / 2
                await evaluated(page, f"video.currentTime = {middle}")
                await page.wait_for_function("shown.length > 0")
                shown = await evaluated(page, "shown[0]")
                assert (shown[0], shown[3]) == (pytest.approx(middle, abs=0.3), first.text)
                assert await evaluated(page, "errors.filter(e => e[1])") == []

    asyncio.run(go())


def check_times(cues: list[list[Any]], said: dict[str, Ad]) -> None:
    """Every AD is there once, at its own time to a few milliseconds."""
    assert sorted(cue[2] for cue in cues) == sorted(said)
    for start, end, text in cues:
        assert start == pytest.approx(said[text].start, abs=0.02), text
        assert end == pytest.approx(said[text].end, abs=0.02), text


def test_cues_of_a_live_stream_come_before_they_are_due(tmp_path: Path) -> None:
    npm_file("hls.js/dist/hls.min.js")
    seconds = 16
    video = segments(seconds, FIRST_PTS)
    hello = HELLO.model_copy(update={"delay": 4.0})

    async def go() -> None:
        clock = asyncio.get_running_loop().time
        async with live_service(Workshop().equipment()) as live, open_page(tmp_path) as page:
            begun = clock() - BEGUN

            def playlist() -> str:
                count = int((clock() - begun) // SEGMENT)
                return media_playlist(min(count, len(video)), ended=count >= len(video))

            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(publish(live.address(), hello, quiet(seconds, 1, BEGUN)))
                await serve_player(page, video, playlist)
                await page.goto(origin(live))
                await evaluated(page, "video.play()")
            said = await ads_of(live)
            await page.wait_for_function(f"video.currentTime > {seconds - 3}", timeout=40_000)
            shown = await evaluated(page, "shown")
            errors = await evaluated(page, "errors")
        check_shown(shown, said)
        assert [error for error in errors if error[1]] == []

    asyncio.run(go())


def check_shown(shown: list[list[Any]], said: dict[str, Ad]) -> None:
    """From the first AD that was shown on, every one was, within half a second of its time."""
    first: dict[str, float] = {}
    for at, _, _, text in shown:
        first.setdefault(text, at)
    assert len(first) >= 4, shown
    began = min(first.values())
    due = [ad for ad in said.values() if began < ad.start < max(first.values())]
    for ad in due:
        assert first[ad.text] == pytest.approx(ad.start, abs=0.5), (ad.text, shown)
