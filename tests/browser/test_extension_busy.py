"""The extension over a service that has no room, then room, then falls behind: each said once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clients.python.publisher import publish
from strad.timeline import Ms
from strad.wire.publishing import Container, Hello
from streaming.media import Media
from tests.browser.chromium import needs_chromium
from tests.browser.extension import Extension, needs_node, open_extension
from tests.browser.site import site
from tests.browser.small_films import film
from tests.service.fakes import HangingDescriber, Workshop, spelled_media
from tests.service.live import SETTINGS, live_service

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium, needs_node]

PAGE = b"""<!doctype html><title>film</title>
<video id="video" width="320" height="180" src="film.webm" loop></video>"""

ONE = replace(SETTINGS, limits=replace(SETTINGS.limits, streams=1))


@asynccontextmanager
async def quick_media(
    container: Container, chunks: AsyncIterator[bytes], begins: Ms = 0
) -> AsyncIterator[AsyncIterator[Media]]:
    """A quarter of a second as four quiet ones: far behind between two questions given up."""
    quiet = (b"qqqq" async for chunk in chunks if chunk)
    async with spelled_media(container, quiet, begins) as media:
        yield media


async def until(done: asyncio.Event) -> AsyncIterator[bytes]:
    """Media that takes the only place."""
    while not done.is_set():
        yield b"q"
        await asyncio.sleep(0.25)


async def refusals(extension: Extension) -> list[str]:
    told: list[str] = (await extension.heard())["told"]
    return [line for line in told if '"overloaded"' in line]


async def said_to_the_end(extension: Extension, code: str) -> list[dict[str, Any]]:
    """How often a notice was spoken."""
    notices = (await extension.status())["notices"]
    [text] = [each["text"] for each in notices if each["code"] == code]
    said = [each for each in await extension.spoken() if each["text"] == text and each["end"]]
    return [each for each in said if not each["cancelled"]]


def test_no_room_and_then_falling_behind_are_each_said_once(tmp_path: Path) -> None:
    files = {"page.html": PAGE, "film.webm": film(20, black=False, tone=True)}

    async def go() -> None:
        equipment = Workshop(HangingDescriber).equipment(media=quick_media)
        with site(files) as address:
            async with (
                live_service(equipment, ONE) as live,
                open_extension(tmp_path, f"http://127.0.0.1:{live.port}") as extension,
                asyncio.TaskGroup() as tasks,
            ):
                gone = asyncio.Event()
                hello = Hello(container=Container.WEBM)
                tasks.create_task(publish(live.address("other"), hello, until(gone)))
                page = await extension.context.new_page()
                await page.goto(f"{address}page.html")
                await page.evaluate("video.play()")
                await extension.start(page)
                await extension.until(lambda found: len(found) > 1, lambda: refusals(extension))
                assert await extension.told() == ["on", "overloaded"]
                gone.set()
                told = await extension.until_told("behind")
                assert (told.count("overloaded"), told.count("behind")) == (1, 1)
                assert "lost" not in told, "no room is no outage"
                for code in ("overloaded", "behind"):
                    await extension.until(bool, lambda code=code: said_to_the_end(extension, code))
                    assert len(await said_to_the_end(extension, code)) == 1
                await extension.stop(page)

    asyncio.run(go())
