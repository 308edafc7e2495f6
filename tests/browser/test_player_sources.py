"""The player over what it can play: HLS that is still live, and files of either container."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import numpy as np
import pytest

from clients.python.publisher import publish
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium, open_page
from tests.browser.hls_video import SEGMENT, media_playlist, segments
from tests.browser.player import (
    FIRST_PTS,
    MASTER,
    MOST_LATE,
    RECORDER,
    keep_settings,
    play,
    spoken,
    until,
)
from tests.browser.staged import played, staged
from tests.service.live import live_service
from tests.service.test_server import HELLO, seen_by_viewer

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

SECONDS = 12
FPS = 10
KINDS = {"mp4": ("libx264", "video/mp4"), "webm": ("libvpx", "video/webm")}
FAST = {"on": True, "voices": {"en": {"rate": 2}}}


def film(container: str) -> bytes:
    """A file of that container, of ``SECONDS``."""
    out = io.BytesIO()
    with av.open(out, "w", format=container) as file:
        stream = file.add_stream(KINDS[container][0], rate=FPS)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"
        stream.options = {"g": str(FPS), "preset": "ultrafast", "deadline": "realtime"}
        for n in range(SECONDS * FPS):
            shade = np.full((96, 160, 3), 40 + n, np.uint8)
            picture = av.VideoFrame.from_ndarray(shade, format="rgb24")
            picture.pts, picture.time_base = n, Fraction(1, FPS)
            file.mux(stream.encode(picture))
        file.mux(stream.encode(None))
    return out.getvalue()


async def serve(page: Page, port: int, files: dict[str, tuple[str, Callable[[], bytes]]]) -> None:
    """``files`` at ``/video/``: a kind, and what it is at the time of asking."""

    async def answer(route: Route) -> None:
        kind, read = files[route.request.url.rpartition("/")[2]]
        await route.fulfill(body=read(), content_type=kind)

    await page.route(f"http://127.0.0.1:{port}/video/*", answer)
    await page.add_init_script(RECORDER)


def check_times(told: list[dict[str, Any]], said: dict[str, Ad], offset: float) -> None:
    """Each was spoken when the video's clock stood at its time."""
    for entry in told:
        right = said[entry["text"]].start + offset
        assert right - 0.1 < entry["at"] < right + MOST_LATE, (entry, right)


def test_files_are_described_where_stream_time_0_lies_in_them(tmp_path: Path) -> None:
    async def go() -> None:
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            await publish(live.address(), HELLO, played("q" * SECONDS, 200))
            said = {m.text: m for m in await seen_by_viewer(live) if isinstance(m, Ad)}
            films = {name: film(name) for name in KINDS}
            await serve(page, live.port, {n: (KINDS[n][1], lambda n=n: films[n]) for n in KINDS})  # type: ignore[misc]
            await keep_settings(page, FAST)
            for name, offset in (("mp4", 1.5), ("webm", 0.0)):
                query = f"stream=news&src=/video/{name}&offset={offset}"
                await page.goto(f"http://127.0.0.1:{live.port}/player/?{query}")
                await play(page)
                check_times(await spoken(page, 1), said, offset)
                kinds = "[...document.querySelector('video').textTracks].map(t => t.kind)"
                assert await page.evaluate(kinds) == ["descriptions"]

    asyncio.run(go())


def test_a_live_video_is_described_at_its_times(tmp_path: Path) -> None:
    seconds = 24
    video = segments(seconds, FIRST_PTS)
    hello = HELLO.model_copy(update={"delay": 4.0})

    async def go() -> None:
        clock = asyncio.get_running_loop().time
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            begun = clock() - 6  # what was published before anybody watched

            def playlist() -> bytes:
                count = min(int((clock() - begun) // SEGMENT), len(video))
                return media_playlist(count, ended=count == len(video)).encode()

            hls = "application/vnd.apple.mpegurl"
            files = {"master.m3u8": (hls, MASTER.encode), "video.m3u8": (hls, playlist)}
            files |= {f"{n}.ts": ("video/mp2t", lambda data=d: data) for n, d in enumerate(video)}  # type: ignore[misc]
            await serve(page, live.port, files)
            await keep_settings(page, FAST)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(publish(live.address(), hello, played("q" * 18, 1, "q" * 6)))
                query = f"stream=news&src=/video/master.m3u8&mpegts={FIRST_PTS}"
                await page.goto(f"http://127.0.0.1:{live.port}/player/?{query}")
                await play(page)
                told = await spoken(page, 2)
                assert clock() - begun < seconds, "the video was still live"
            said = {m.text: m for m in await seen_by_viewer(live) if isinstance(m, Ad)}
            check_times(told, said, 0.0)
            await until(page, "document.querySelector('#status').innerText === ''")

    asyncio.run(go())
