"""The web player in real Chromium over a real service: spoken in time, by keys, for everybody."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clients.python.publisher import publish
from service.settings import Auth, Limits, Settings
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.control_room import spills, tab_to, violations
from tests.browser.hls_video import segments
from tests.browser.player import FIRST_PTS, open_player, play, spoken, until
from tests.browser.staged import staged
from tests.service.live import live_service
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256
from tests.service.test_server import HELLO, seen_by_viewer

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

SECONDS = 30

CLOSED = Settings(
    describer="every-window",
    port=0,
    limits=Limits(drain=2.0, stall=1.0, grace=0.3),
    auth=Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE),
)


async def quiet(seconds: int) -> AsyncIterator[bytes]:
    for _ in range(seconds):
        yield b"q"
        await asyncio.sleep(0.005)


def test_it_is_spoken_in_its_time_and_keys_ask_for_more(tmp_path: Path) -> None:
    video = segments(SECONDS, FIRST_PTS)

    async def go() -> None:
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            await publish(live.address(), HELLO, quiet(SECONDS))
            said = {m.text: m for m in await seen_by_viewer(live) if isinstance(m, Ad)}
            await open_player(page, live.port, video)
            status = page.locator("#status")
            await page.keyboard.press("Alt+Shift+D")
            await status.filter(has_text="Descriptions on").wait_for()
            await play(page)
            told = [entry for entry in await spoken(page, 4) if entry["text"] in said]
            assert told
            for entry in told:
                assert entry["at"] == pytest.approx(said[entry["text"]].start, abs=0.3), entry
            tracks = "[...document.querySelector('video').textTracks]"
            kinds = f"{tracks}.filter(t => t.kind === 'descriptions').map(t => t.cues.length)"
            assert await page.evaluate(kinds) == [len(said)]

            await page.keyboard.press("Alt+Shift+S")
            await until(page, "new Set(spoken.map(s => s.text)).size < spoken.length")
            await until(page, "!document.querySelector('video').paused")
            await page.keyboard.press("Alt+Shift+N")
            await status.filter(has_text=re.compile("Take|Nothing is known")).wait_for()
            await page.keyboard.press("Alt+Shift+Z")
            await status.filter(has_text="is wrong").wait_for()
            await page.keyboard.press("Alt+Shift+W")
            await status.filter(has_text="missed").wait_for()
            await page.keyboard.press("Alt+Shift+D")
            await status.filter(has_text="Descriptions off").wait_for()
            pressed = page.get_by_role("button", name="Audio description", exact=True)
            assert await pressed.get_attribute("aria-pressed") == "false"

    asyncio.run(go())


def test_extended_it_pauses_and_goes_on_and_keeps_the_viewers_pause(tmp_path: Path) -> None:
    video = segments(SECONDS, FIRST_PTS)
    slow = {"on": True, "extended": True, "voices": {"en": {"rate": 0.5}}}

    async def go() -> None:
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            await publish(live.address(), HELLO, quiet(SECONDS))
            await open_player(page, live.port, video, slow)
            paused = "document.querySelector('video').paused"
            await play(page)
            await until(page, f"spoken.length === 1 && {paused}")
            # Held: the button still says Pause, for the viewer has not paused.
            await page.get_by_role("button", name="Pause", exact=True).wait_for()
            await until(page, f"spoken[0].how === 'end' && !{paused}")
            await until(page, f"spoken.length === 2 && {paused}")
            await page.get_by_role("button", name="Pause", exact=True).click()
            await until(page, "spoken[1].how === 'cancelled'")
            await page.get_by_role("button", name="Play", exact=True).wait_for()
            assert await page.evaluate(paused)
            await play(page)
            # What was cut is said again, and the programme goes on after it.
            await until(page, "spoken[2]?.text === spoken[1].text")
            await until(page, f"spoken[2].how === 'end' && !{paused}")

    asyncio.run(go())


def test_everybody_can_use_it_in_every_state(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")
    video = segments(SECONDS, FIRST_PTS)

    async def go() -> None:
        async with live_service(staged()) as live, open_page(tmp_path) as page:
            await page.goto(f"http://127.0.0.1:{live.port}/player/")
            await page.get_by_label("Address of the video").wait_for()
            assert await violations(page) == [], "nothing chosen"
            await publish(live.address(), HELLO, quiet(SECONDS))
            await open_player(page, live.port, video)
            await page.get_by_role("button", name="Play", exact=True).wait_for()
            await tab_to(page, "Play")
            await page.keyboard.press("Enter")
            await tab_to(page, "Audio description")
            await page.keyboard.press("Enter")
            await page.locator("#text").filter(has_text="Take").wait_for()
            assert await violations(page) == [], "described"
            await tab_to(page, "How descriptions are spoken")
            await page.keyboard.press("Enter")
            await page.get_by_label("Stop what is being said").fill("Ctrl+J")
            await page.keyboard.press("Tab")
            await page.get_by_role("alert").filter(has_text="Ctrl is the browser's").wait_for()
            assert await violations(page) == [], "settings"
            assert await spills(page, 320, 640) <= 0
            assert await spills(page, 640, 400) <= 0, "200 % of 1280 x 800"

    asyncio.run(go())


def test_where_a_key_is_needed_it_asks_and_keeps_it_out_of_addresses(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")

    async def go() -> None:
        key = hs256(scope="subscribe", streams="news")
        async with live_service(staged(), CLOSED) as live, open_page(tmp_path, fails=False) as page:
            await page.goto(f"http://127.0.0.1:{live.port}/player/?stream=news")
            field = page.get_by_label("Key or token")
            await field.wait_for()
            assert await violations(page) == [], "key"
            await field.fill(key)
            await page.keyboard.press("Enter")
            await field.wait_for(state="hidden")
            found = "JSON.stringify([location.href, {...localStorage}, {...sessionStorage}])"
            assert key not in await page.evaluate(found)

    asyncio.run(go())
