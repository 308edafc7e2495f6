"""The player in its worse hours, for everybody: held, cut off, without video, without room."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clients.python.publisher import publish
from clients.python.viewer import Viewer
from service.settings import Limits
from strad.wire.viewing import About
from tests.browser.access import controls, legible, said_of, troubles, walk
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.control_room import violations
from tests.browser.hls_video import segments
from tests.browser.player import FIRST_PTS, open_player, play, until
from tests.browser.staged import played, staged
from tests.service.ads import ad
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.test_server import HELLO

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

SECONDS = 20
STATUS = "document.querySelector('#status').innerText"
ABOUT = About(describer="facts", draft=True, delay=12.0, language="en")
SMALL = replace(SETTINGS, limits=Limits(drain=3.0, stall=20.0, grace=0.3, viewers=2))

PLAYBACK = ["Pause", "Back 10 seconds", "Forward 10 seconds", "Position", "Volume of the programme"]
COMMANDS = ["Audio description", "Repeat the last", "What did I miss?"]
COMMANDS += ["Who and what is on screen?", "Stop this one", "Flag as wrong", "Flag as late"]


@asynccontextmanager
async def on_air() -> AsyncIterator[LiveService]:
    """A service with room for two viewers, and a live stream that has one description."""
    async with (
        live_service(staged(), SMALL) as live,
        live.station.streams.publishing("news", ABOUT) as stream,
    ):
        await stream.move(stream.state)
        await stream.log.append(lambda seq: ad(seq, 2, 4, "A cat runs."))
        yield live
        await stream.end(None, None)


async def everybody_can_use_it(page: Page, state: str) -> None:
    """While ``state`` is so: axe, names in the accessibility tree, all of them by Tab."""
    await until(page, state)
    assert await violations(page) == [], state
    await until(page, state)
    named = await controls(page)
    assert all(name for _, name in named), (state, named)
    await until(page, state)
    reached = await walk(page)
    for _, name in named:
        assert any(each.startswith(name[:40]) for each in reached), (state, name, reached)


def test_while_the_programme_is_held_for_a_description(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")
    video = segments(SECONDS, FIRST_PTS)
    slow = {"on": True, "extended": True, "speech": "service", "voices": {"en": {"rate": 0.5}}}

    async def go() -> None:
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            await publish(live.address(), HELLO, played("q" * SECONDS, 200))
            await open_player(page, live.port, video, slow)
            # Its hello offers no sound: the browser's voice speaks, and that is said.
            await page.locator("#status").filter(has_text="no voice of its own").wait_for()
            await play(page)
            held = "spoken.length && document.querySelector('video').paused"
            await until(page, held)
            names = [name for _, name in await controls(page)]
            assert names[1:6] == PLAYBACK
            assert [name for name in names if name in COMMANDS] == COMMANDS
            assert await said_of(page, "Video") == ["Programme"]
            pressed = page.locator("[data-command=toggle]")
            assert await legible(pressed)
            await everybody_can_use_it(page, held)
            await until(page, held)
            assert await troubles(page) == []

    asyncio.run(go())


def test_while_it_is_cut_off_or_has_no_video_or_no_room(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")

    async def go() -> None:
        async with on_air() as live, open_page(tmp_path, fails=False) as page:
            player = f"http://127.0.0.1:{live.port}/player/?stream=news&src=/nothing.mp4"
            await page.goto(player)
            await says(page, "The video can't be played")
            await everybody_can_use_it(page, "document.querySelector('#play').disabled")
            assert await troubles(page) == []
            await page.context.set_offline(True)
            await says(page, "The descriptions are cut off")
            await everybody_can_use_it(page, STATUS + ".includes('cut off')")
            await page.context.set_offline(False)
            await says(page, "The descriptions are back.")
            await page.goto("about:blank")
            async with connected(live):
                await page.goto(player.partition("&")[0])
                await says(page, "the service has no room")
                await everybody_can_use_it(page, STATUS + ".includes('no room')")
            await says(page, "The descriptions are back.")

    asyncio.run(go())


async def says(page: Page, words: str) -> None:
    """In its status line, which is told to screen readers when it changes."""
    await page.get_by_role("status").filter(has_text=words).wait_for()


@asynccontextmanager
async def connected(live: LiveService) -> AsyncIterator[None]:
    """Others have all the room that one stream has, once the one that left is gone."""
    async with AsyncExitStack() as viewers:
        async with asyncio.timeout(30):
            listing = live.station.streams.listing
            while [line.viewers for line in await listing()] != [0]:  # noqa: ASYNC110 - only to ask
                await asyncio.sleep(0.05)
        for _ in range(live.station.settings.limits.viewers):
            messages = Viewer(live.address()).messages()
            viewers.push_async_callback(messages.aclose)
            await anext(messages)
        yield
