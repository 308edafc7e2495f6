"""The browser extension: how large what is loaded is, and what its script costs a page that plays.

The content script follows a video that plays in real Chromium, described by a real service, with a
seek every few seconds. Its processor time is what Chromium's own profiler finds in its file.

Targets: the core under 60 KB gzipped; the content script under 1 % of one processor.

Exit status: 0 all targets met, or blank without node or Chromium; 1 one missed.
"""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import PROGRAM
from tests.browser.extension import CLIENTS, Extension, built, open_extension
from tests.browser.site import site
from tests.browser.small_films import film
from tests.service.test_processes import service

if TYPE_CHECKING:
    from playwright.async_api import Page

SECONDS = 30
MOST_BYTES = 60_000
MOST_SHARE = 0.01

PAGE = b'<!doctype html><title>film</title><video id="video" src="film.webm" loop></video>'


def sizes() -> dict[str, int]:
    """Bytes of each script as it ships, gzipped."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["node", "extension/build.js", f"{folder}/extension"]
        subprocess.run(words, cwd=CLIENTS, check=True, timeout=120)
        scripts = sorted(Path(folder, "extension").glob("*.js"))
        return {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in scripts}


def busy(profile: dict[str, Any]) -> float:
    """The share of the profiled time that is spent in the content script and what it calls."""
    nodes = {node["id"]: node for node in profile["nodes"]}
    parents = {child: node["id"] for node in profile["nodes"] for child in node.get("children", ())}

    def ours(at: int | None) -> bool:
        while at is not None:
            if nodes[at]["callFrame"]["url"].endswith("/content.js"):
                return True
            at = parents.get(at)
        return False

    inside = {number: ours(number) for number in nodes}
    pairs = zip(profile["samples"], profile["timeDeltas"], strict=True)
    spent = sum(max(0, delta) for sample, delta in pairs if inside[sample])
    return float(spent) / float(profile["endTime"] - profile["startTime"])


async def profiled(extension: Extension, page: Page) -> dict[str, Any]:
    """What Chromium's profiler saw of the page while the film played and was sought in."""
    session = await extension.context.new_cdp_session(page)
    await session.send("Profiler.enable")
    await session.send("Profiler.setSamplingInterval", {"interval": 100})
    await session.send("Profiler.start")
    for n in range(SECONDS // 5):
        await page.wait_for_timeout(5_000)
        await page.evaluate(f"video.currentTime = {n % 20}")
    profile: dict[str, Any] = (await session.send("Profiler.stop"))["profile"]
    return profile


async def share(folder: Path, address: str, serving: str) -> float:
    async with open_extension(folder / "profile", serving) as extension:
        page = await extension.context.new_page()
        await page.goto(f"{address}page.html")
        await page.evaluate("video.play()")
        await extension.start(page)
        await extension.until_playing(True)
        return busy(await profiled(extension, page))


def main() -> int:
    if PROGRAM is None or not (CLIENTS / "node_modules" / "esbuild").exists():
        print("blank: needs Chromium, node and the pinned packages: make clients")
        return 0
    found = sizes()
    core = found["offscreen.js"]
    print("gzipped: " + ", ".join(f"{name} {size / 1e3:.1f} KB" for name, size in found.items()))
    built()
    files = {"page.html": PAGE, "film.webm": film(30, black=False, tone=True)}
    with tempfile.TemporaryDirectory() as name, site(files) as address:
        folder = Path(name)
        with service(folder, lines=100) as (_, serving):
            used = asyncio.run(share(folder, address, serving))
    print(f"content script: {used:.3%} of one processor over {SECONDS} s of playback")
    met = core < MOST_BYTES and used < MOST_SHARE
    print("met" if met else "MISSED")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
