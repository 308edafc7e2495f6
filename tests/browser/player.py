"""The player page as tests use it: over a real service, with a speech synthesis that records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.browser.hls_video import media_playlist

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

FIRST_PTS = 900_000
"""The video's clock at stream time 0: ten seconds."""

MOST_LATE = 1.1
"""Seconds after its time in which a page begins a description at all, where the machine is busy."""

MASTER = """#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42c00a"
video.m3u8
"""

RECORDER = """
const spoken = [];
let current = null;
const finish = (what) => {
  if (!current) return;
  const { utterance, entry, timers } = current;
  current = null;
  timers.forEach(clearTimeout);
  entry.ended = document.querySelector("video")?.currentTime;
  entry.how = what;
  if (what === "end") utterance.onend?.(new Event("end"));
};
const synthesis = {
  speak(utterance) {
    const video = document.querySelector("video");
    const entry = { text: utterance.text, at: video.currentTime, rate: utterance.rate };
    spoken.push(entry);
    const ms = utterance.text.length / 15 / utterance.rate * 1000;
    current = { utterance, entry, timers: [
      setTimeout(() => utterance.onstart?.(new Event("start")), 10),
      setTimeout(() => finish("end"), ms)] };
  },
  cancel() { finish("cancelled"); },
  getVoices() { return []; },
  addEventListener() {},
};
Object.defineProperty(window, "speechSynthesis", { value: synthesis });
Object.defineProperty(window, "spoken", { value: spoken });
"""
"""A voice of 15 characters a second, that writes down when it spoke."""


async def open_player(
    page: Page, port: int, video: list[bytes], settings: dict[str, Any] | None = None
) -> None:
    """The page over the stream ``news``, its video as HLS at the service's own origin."""
    address = await serve_video(page, port, video)
    await page.add_init_script(RECORDER)
    if settings is not None:
        await keep_settings(page, settings)
    await page.goto(address)


async def keep_settings(page: Page, settings: dict[str, Any]) -> None:
    """As if this viewer had chosen them before."""
    kept = json.dumps(json.dumps(settings))
    await page.add_init_script(f"localStorage.setItem('strad-viewer', {kept})")


async def serve_video(page: Page, port: int, video: list[bytes]) -> str:
    """The video as HLS at the service's own origin; the address of the page that plays it."""
    files = {"master.m3u8": MASTER.encode(), "video.m3u8": playlist(video)}
    files |= {f"{n}.ts": data for n, data in enumerate(video)}

    async def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        kind = "video/mp2t" if name.endswith(".ts") else "application/vnd.apple.mpegurl"
        await route.fulfill(body=files[name], content_type=kind)

    await page.route(f"http://127.0.0.1:{port}/video/*", answer)
    query = f"stream=news&src=/video/master.m3u8&mpegts={FIRST_PTS}"
    return f"http://127.0.0.1:{port}/player/?{query}"


def playlist(video: list[bytes]) -> bytes:
    return media_playlist(len(video), ended=True).encode()


async def play(page: Page) -> None:
    """Press Play, as soon as it can be."""
    await page.get_by_role("button", name="Play", exact=True).click()


async def until(page: Page, expression: str) -> None:
    """Wait until it is so. As a function: the page's policy lets no text be run."""
    await page.wait_for_function(f"() => {expression}", timeout=60_000)


async def spoken(page: Page, least: int = 0) -> list[dict[str, Any]]:
    """What was spoken so far, when it is at least so much."""
    await until(page, f"spoken.length >= {least}")
    found: list[dict[str, Any]] = await page.evaluate("spoken")
    return found
