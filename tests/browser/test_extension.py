"""The extension in real Chromium on a page with a real clip, over a real ``strad serve``."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from service.demo.clip import render_clip
from service.demo.script import Script, Speech
from tests.browser.chromium import needs_chromium
from tests.browser.extension import OFF, Extension, needs_node, open_extension
from tests.browser.site import site
from tests.service.test_processes import service

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium, needs_node]

PAGE = b"""<!doctype html><title>clip</title>
<video id="video" width="640" height="360" src="clip.webm" loop></video>
<script>
const samples = [];
setInterval(() => samples.push([Date.now(), video.currentTime, video.paused]), 20);
</script>"""

SECONDS = 24


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Script]]:
    """The site, the service, and what the clip really holds."""
    folder = tmp_path_factory.mktemp("stage")
    clip = render_clip(4, folder, SECONDS)
    files = {"page.html": PAGE, "clip.webm": clip.path.read_bytes()}
    with site(files) as address, service(folder, lines=200) as (_, serving):
        yield address, serving, clip.script


async def watched(extension: Extension, site: str) -> Page:
    """A tab in which the clip plays."""
    page = await extension.context.new_page()
    await page.goto(f"{site}page.html")
    await page.evaluate("video.play()")
    return page


async def placed(page: Page, said: list[dict[str, Any]]) -> list[tuple[float, float, str]]:
    """Where in the clip each was said: seconds it began and ended at."""
    at = """walls => walls.map(wall => samples.reduce((best, each) =>
        Math.abs(each[0] - wall) < Math.abs(best[0] - wall) ? each : best)[1])"""
    done = [each for each in said if each["end"]]
    begins = await page.evaluate(at, [each["start"] for each in done])
    ends = await page.evaluate(at, [each["end"] for each in done])
    return list(zip(begins, ends, [each["text"] for each in done], strict=True))


def over_speech(when: list[tuple[float, float, str]], script: Script) -> list[float]:
    """Seconds that each is over what is really said in the clip."""
    speech = [item for item in script.items if isinstance(item, Speech)]
    return [
        sum(max(0.0, min(end, one.end) - max(begin, one.start)) for one in speech)
        for begin, end, _ in when
    ]


def test_live_it_is_spoken_in_gaps_and_the_tab_stays_audible(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, script = stage

    async def go() -> None:
        async with open_extension(tmp_path, serving) as extension:
            page = await watched(extension, address)
            await extension.start(page)
            said = await extension.until_spoken(4)
            await extension.until(lambda entries: all(e["end"] for e in entries), extension.spoken)
            said = [e for e in await extension.spoken() if e["text"].startswith("Line")]
            when = await placed(page, said)
            # At the live edge speech may begin under a line: then it yields.
            assert all(over < 1.0 for over in over_speech(when, script)), when
            heard = await extension.heard()
            assert heard["contexts"] == ["running"]
            assert heard["errors"] == []
            assert max(each["level"] for each in heard["levels"]) > 0.02, "the tab is audible"
            gains = [each["gain"] for each in heard["levels"]]
            assert min(gains) < 0.6, "ducked"
            assert max(gains) > 0.99, "let up again"

            await extension.stop(page)
            assert heard["spoken"][0]["text"].startswith("Audio description is on")
            await extension.until(lambda said: said[-1]["text"] == OFF, extension.spoken)
            await extension.start(page)
            assert await extension.documents() == 1

    asyncio.run(go())
