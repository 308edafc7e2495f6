"""The control room where keys are needed, and where the service is killed and comes again."""

from __future__ import annotations

import asyncio
import signal
from contextlib import ExitStack
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.asyncio.client import connect

from service.settings import Auth, Limits, Settings
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.control_room import (
    open_room,
    options,
    tab,
    tab_to,
    until_connection_says,
    until_options,
    violations,
)
from tests.browser.staged import staged
from tests.service.lines_to_say import serve_words
from tests.service.live import LiveService, free_port, live_service
from tests.service.publishing import HELLO, LivePublisher
from tests.service.reader import LINE, Reader
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256
from tests.service.test_processes import finish, strad, wait_for
from tests.service.test_remux import film

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

CLOSED = Settings(
    describer="every-window",
    port=0,
    limits=Limits(drain=2.0, stall=1.0, grace=0.3),
    auth=Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE),
)


async def publish_with_a_token(live: LiveService, name: str) -> None:
    """A stream of thirty seconds, to its end."""
    headers = {"Authorization": "Bearer " + hs256(scope="publish")}
    async with connect(live.address(name).media, additional_headers=headers, proxy=None) as socket:
        publisher = LivePublisher(socket)
        await publisher.tell(**HELLO)
        for _ in range(30):
            await publisher.media(b"q")
            await asyncio.sleep(0.02)
        await publisher.tell(type="finish")
        await publisher.rest()


async def show_key(page: Page, key: str) -> None:
    await page.get_by_label("Key or token").fill(key)
    await page.keyboard.press("Enter")


async def kept_somewhere(page: Page, key: str) -> bool:
    """Whether the key is anywhere but in the page's memory."""
    return key in await page.evaluate(
        "JSON.stringify([location.href, {...localStorage}, {...sessionStorage}, document.cookie,"
        " performance.getEntriesByType('resource').map(entry => entry.name)])"
    )


def test_a_wrong_key_shows_nothing_and_a_right_one_all_it_may(tmp_path: Path) -> None:
    async def go() -> None:
        right = hs256(scope="subscribe", streams="news")
        async with live_service(staged(), CLOSED) as live, open_page(tmp_path, fails=False) as page:
            await open_room(page, live.port, "news")
            await page.get_by_role("heading", name="A key is needed").wait_for()
            await page.locator("#streams").wait_for(state="hidden")
            assert await tab(page) == "Key or token"
            await show_key(page, hs256(SECRET[::-1]))
            alert = page.get_by_role("alert")
            await alert.filter(has_text="was not accepted").wait_for()
            assert await page.evaluate("document.activeElement.id") == "key"
            await page.locator("#streams").wait_for(state="hidden")
            await show_key(page, right)
            await page.get_by_role("heading", name="Streams", exact=True).wait_for()
            await page.locator("#key-section").wait_for(state="hidden")
            assert not await kept_somewhere(page, right)

    asyncio.run(go())


def test_a_viewers_key_opens_its_stream_and_its_tracks(tmp_path: Path) -> None:
    async def go() -> None:
        async with live_service(staged(), CLOSED) as live, open_page(tmp_path, fails=False) as page:
            for name in ("news", "sport"):
                await publish_with_a_token(live, name)
            await open_room(page, live.port, "news")
            await page.get_by_role("heading", name="A key is needed").wait_for()
            await show_key(page, hs256(scope="subscribe", streams="news"))
            await until_connection_says(page, "has ended")
            await until_options(page, bool, "Description")
            await page.locator("#streams-body tr").filter(has_text="news").wait_for()
            rows = await page.locator("#streams-body tr").all_inner_texts()
            assert [row.split()[0] for row in rows] == ["news"]
            link = page.get_by_role("link", name="WebVTT")
            href = await link.get_attribute("href") or ""
            await page.wait_for_function(
                "href => fetch(href, {credentials: 'same-origin'}).then(answer => answer.ok)",
                arg=href,
            )
            await page.get_by_role("button", name="Forget the key").click()
            await page.get_by_role("heading", name="A key is needed").wait_for()
            await until_options(page, lambda x: not x)
            await page.locator("#stream").wait_for(state="hidden")

    asyncio.run(go())


def test_a_kept_key_outlives_a_reload_and_no_more(tmp_path: Path) -> None:
    async def go() -> None:
        async with live_service(staged(), CLOSED) as live, open_page(tmp_path, fails=False) as page:
            await open_room(page, live.port)
            await tab_to(page, "Keep it until this tab is closed")
            await page.keyboard.press("Space")
            await show_key(page, hs256(scope="admin"))
            await page.get_by_text("No streams yet").wait_for()
            await page.reload()
            await page.get_by_text("No streams yet").wait_for()
            await page.get_by_role("button", name="Forget the key").click()
            await page.reload()
            await page.get_by_role("heading", name="A key is needed").wait_for()

    asyncio.run(go())


def test_the_page_that_asks_for_a_key_is_accessible(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")

    async def go() -> None:
        async with live_service(staged(), CLOSED) as live, open_page(tmp_path, fails=False) as page:
            await open_room(page, live.port)
            await page.get_by_role("heading", name="A key is needed").wait_for()
            assert await violations(page) == [], "asked"
            await show_key(page, "wrong")
            await page.get_by_role("alert").filter(has_text="not accepted").wait_for()
            assert await violations(page) == [], "refused"

    asyncio.run(go())


SECONDS = 18
"""Of media: the first five or six before the service is killed."""


async def watch_it_killed(page: Page, port: int, first: Popen[str]) -> int:
    """How many descriptions there were when the service was gone."""
    await open_room(page, port, "film")
    await page.get_by_role("option").filter(has_text="Line 1 of many").wait_for(timeout=60_000)
    first.send_signal(signal.SIGKILL)
    await until_connection_says(page, "Connecting again")
    await page.locator("#service").filter(has_text="does not answer").wait_for()
    return len(await options(page, "Description"))


def test_a_service_killed_and_started_again_shows_and_tells_nothing_twice(tmp_path: Path) -> None:
    """``strad serve`` over SQLite, ``strad push``, ``strad listen`` and the page, and kill -9."""
    media = film(tmp_path / "film.mp4", seconds=SECONDS)
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1/streams/film"
    words, to = serve_words(tmp_path, port), ("--to", url, "--delay", "4")
    pushes = ExitStack()

    async def go(viewer: Popen[str], first: Popen[str]) -> list[str]:
        reader = Reader(viewer)
        async with open_page(tmp_path / "profile", fails=False) as page:
            publisher = pushes.enter_context(strad("push", str(media), *to))  # the browser is up
            before = await watch_it_killed(page, port, first)
            with strad(*words) as second:
                await until_connection_says(page, "Connected", 60)
                code, _, err = await asyncio.to_thread(finish, publisher, 90)
                assert (code, "connected again at" in err) == (0, True), err
                await until_connection_says(page, "has ended", 60)
                await asyncio.to_thread(reader.end)
                async with httpx.AsyncClient() as client:
                    track = (await client.get(f"{url}/descriptions.vtt")).text
                said = len(LINE.findall(track))
                listed = await until_options(page, lambda x: len(x) >= said, "Description")
                second.send_signal(signal.SIGTERM)
                await asyncio.to_thread(finish, second, 60)
        reader.check(before, track, seconds=SECONDS)
        stands = [text for text in listed if "withdrawn" not in text]
        assert LINE.findall(" ".join(stands)) == LINE.findall(track)
        return LINE.findall(" ".join(listed))

    with strad(*words) as first:
        wait_for(f"http://127.0.0.1:{port}")
        with strad("listen", "--jsonl", url) as viewer, pushes:
            listed = asyncio.run(go(viewer, first))
    assert len(set(listed)) == len(listed)
