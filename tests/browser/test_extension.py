"""The extension in real Chromium on a page with a real clip, over a real ``strad serve``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from clients.python.address import StreamAddress
from clients.python.publisher import publish
from clients.python.viewer import watch
from service.demo.clip import render_clip
from service.demo.script import Script, Speech
from strad.wire.publishing import Container, Hello
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium
from tests.browser.extension import OFF, Extension, needs_node, open_extension
from tests.browser.relay import relay
from tests.browser.site import site
from tests.browser.small_films import film
from tests.service.test_processes import service

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium, needs_node]

PAGE = b"""<!doctype html><title>clip</title>
<video id="video" width="640" height="360" src="clip.webm" loop></video>
<script>
const samples = [];
setInterval(() => samples.push([Date.now(), video.currentTime, video.volume]), 20);
const at = (wall) => samples.reduce((best, each) =>
  Math.abs(each[0] - wall) < Math.abs(best[0] - wall) ? each : best)[1];
</script>"""

SECONDS = 20


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Script]]:
    """The site, the service, and what the clip really holds."""
    folder = tmp_path_factory.mktemp("stage")
    clip = render_clip(4, folder, SECONDS)
    files = {"page.html": PAGE, "clip.webm": clip.path.read_bytes()}
    files["other.webm"] = files["clip.webm"]
    files["black.webm"] = film(40, black=True, tone=True)
    files["tone.webm"] = film(20, black=False, tone=True)
    files["silent.webm"] = film(40, black=False, tone=False)
    with site(files) as address, service(folder, lines=200) as (_, serving):
        offer = f'<link rel="audio-description" href="{serving}/v1/streams/offered">'
        files["offered.html"] = PAGE + offer.encode()
        yield address, serving, clip.script


async def watched(extension: Extension, site: str, page_name: str = "page.html") -> Page:
    """A tab in which the clip plays."""
    page = await extension.context.new_page()
    await page.goto(f"{site}{page_name}")
    await page.evaluate("video.play()")
    return page


async def placed(page: Page, said: list[dict[str, Any]]) -> list[tuple[float, float, str]]:
    """Where in the clip each was said: seconds it began and ended at."""
    done = [each for each in said if each["end"]]
    ends = [(each["start"], each["end"]) for each in done]
    found = await page.evaluate("spans => spans.map((span) => span.map(at))", ends)
    return [(begin, end, each["text"]) for (begin, end), each in zip(found, done, strict=True)]


def over_speech(when: list[tuple[float, float, str]], script: Script) -> list[float]:
    """Seconds that each is over what is really said in the clip."""
    speech = [item for item in script.items if isinstance(item, Speech)]
    return [
        sum(max(0.0, min(end, one.end) - max(begin, one.start)) for one in speech)
        for begin, end, _ in when
    ]


async def ends_where_the_site_is_left(extension: Extension, page: Page) -> None:
    """Another site was not asked for, so it is not recorded."""
    await page.goto(page.url.replace("127.0.0.1", "localhost"))
    status = await extension.until(lambda found: found["tab"] is None, extension.status)
    assert "page was left" in status["line"]
    await extension.until(lambda said: said[-1]["text"].endswith(OFF), extension.spoken)
    assert "page was left" in (await extension.spoken())[-1]["text"]


def test_live_it_is_spoken_in_gaps_and_the_tab_stays_audible(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, script = stage

    async def go() -> None:
        async with open_extension(tmp_path, serving) as extension:
            page = await watched(extension, address)
            await extension.start(page)
            said = await extension.until_spoken(3)
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

            await page.keyboard.press("Alt+Shift+S")
            await extension.until(
                lambda all_said: len({e["text"] for e in all_said}) < len(all_said),
                extension.spoken,
            )
            await page.keyboard.press("Alt+Shift+Z")
            await extension.until(lambda status: "is wrong" in status["last"], extension.status)

            await extension.stop(page)
            assert heard["spoken"][0]["text"].startswith("Audio description is on")
            await extension.until(lambda said: said[-1]["text"] == OFF, extension.spoken)
            await extension.start(page)
            assert await extension.documents() == 1
            await ends_where_the_site_is_left(extension, page)

    asyncio.run(go())


def test_the_viewers_player_is_followed_wherever_it_goes(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, _ = stage

    async def go() -> None:
        async with open_extension(tmp_path, serving) as extension:
            page = await watched(extension, address)
            await extension.start(page)
            await extension.until_spoken(1)

            await page.evaluate("video.pause()")
            await extension.until_playing(False)
            paused, stood = await extension.now(), (await extension.head())["heard"]
            await page.wait_for_timeout(2_500)
            assert (await extension.head())["heard"] == stood
            assert not [s for s in await extension.spoken() if s["start"] > paused + 500]
            await page.evaluate("video.play()")
            await extension.until_playing(True)
            await extension.until_with_player(page)

            await page.evaluate("video.currentTime = 10")
            await extension.until_with_player(page)
            await page.evaluate("video.playbackRate = 1.5")
            await extension.until_spoken(1, await extension.now())
            await extension.until_with_player(page)
            await page.evaluate("video.src = 'other.webm'; video.play()")
            await extension.until(lambda head: head["player"] < 8, extension.head)
            await extension.until_with_player(page)
            await extension.until_spoken(1, await extension.now())
            assert await extension.told() == ["on"]
            assert (await extension.heard())["errors"] == []

    asyncio.run(go())


def test_it_outlives_its_worker_the_network_and_the_service(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, _ = stage

    async def go() -> None:
        port = int(serving.rpartition(":")[2])
        async with relay(port) as wire, open_extension(tmp_path, wire.address) as extension:
            page = await watched(extension, address)
            await page.evaluate("video.src = 'tone.webm'; video.play()")
            await extension.start(page)
            await extension.until_spoken(1)

            await extension.kill_worker()
            await extension.desk.bring_to_front()
            [front] = await extension.desk.evaluate("chrome.tabs.query({active: true})")
            assert front["id"] != (await extension.status())["tab"]
            assert not await page.evaluate("document.hidden"), "captured, so it goes on as if seen"
            await extension.until_spoken(1, await extension.now())

            wire.cut()
            await extension.until_told("lost")
            await page.wait_for_timeout(10_000)
            wire.mend()
            await extension.until_told("back")
            await extension.until_spoken(1, await extension.now())
            assert await extension.told() == ["on", "lost", "back"]

            with service(tmp_path, lines=200) as (_, another):
                wire.to = int(another.rpartition(":")[2])
                wire.cut()
                wire.mend()
                await extension.until_told("anew")
                await extension.until_spoken(1, await extension.now())
                await extension.stop(page)
            assert (await extension.heard())["errors"] == []

    asyncio.run(go())


def heard_at(heads: list[dict[str, Any]], wall: float) -> float:
    """Where a viewer was whose programme is held back: seconds on the player's clock."""
    before = [head for head in heads if head["wall"] <= wall]
    return float(before[-1]["player"]) + (wall - float(before[-1]["wall"])) / 1_000


FILM = "document.querySelector('video')"


async def goes_back_and_pauses(extension: Extension, page: Page) -> Page:
    """What is held back does the same, and the page that shows its picture, which is opened."""
    await page.evaluate("video.currentTime = 2; video.play()")
    async with extension.context.expect_page() as shown:
        await extension.ask(to="worker", type="picture")
    picture = await shown.value
    await picture.wait_for_function(f"() => {FILM}.currentTime > 1 && !{FILM}.paused")
    await page.evaluate("video.pause()")
    await extension.until_playing(False)
    await picture.wait_for_function(f"() => {FILM}.paused")
    return picture


async def seeks_out_of_the_pause(
    extension: Extension, page: Page, picture: Page, script: Script
) -> None:
    """What is heard stays where it was until the player goes on, and then is nowhere else."""
    stood = (await extension.head())["heard"]
    await page.evaluate("video.currentTime = 18")
    await page.wait_for_function("() => !video.seeking")
    assert (await extension.head())["heard"] == stood
    sought = await extension.now()
    await page.evaluate("video.currentTime = 9; video.play()")
    await extension.until(lambda head: 8.9 < head["player"] < 10.5, extension.head)
    await extension.until_playing(True)
    await extension.until_spoken(1, sought)
    head = await extension.until(lambda head: head["player"] > 11, extension.head)
    at = f"at => {FILM}.currentTime > at - 1 && !{FILM}.paused"
    await picture.wait_for_function(at, arg=head["heard"])
    heard = await extension.heard()
    heads = [head for head in heard["heads"] if head["wall"] > sought]
    jumped = next(n for n, head in enumerate(heads) if head["heard"] > stood + 1)
    assert heads[jumped]["player"] == pytest.approx(9, abs=0.2)
    assert all(head["player"] > 8.8 for head in heads[jumped:])
    assert not any(head["playing"] for head in heads[:jumped]), "nothing is heard of what was left"
    said = [s for s in heard["spoken"] if s["start"] > sought and s["end"]]
    when = [(heard_at(heads, s["start"]), heard_at(heads, s["end"]), s["text"]) for s in said]
    assert all(over < 0.2 for over in over_speech(when, script)), when


def test_held_back_each_is_spoken_in_its_own_gap(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, script = stage

    async def go() -> None:
        async with open_extension(tmp_path, serving, delayed=True, delay=8) as extension:
            page = await watched(extension, address)
            await page.evaluate("video.loop = false; video.pause(); video.currentTime = 0")
            await extension.start(page)
            await page.evaluate("video.play()")
            await page.wait_for_function("() => video.ended", timeout=60_000)
            await extension.until_spoken(2)
            await extension.until(
                lambda head: not head["playing"] and head["player"] > SECONDS - 1, extension.head
            )
            heard = await extension.heard()
            said = [each for each in heard["spoken"] if each["text"].startswith("Line")]
            heads = heard["heads"]
            when = [
                (heard_at(heads, s["start"]), heard_at(heads, s["end"]), s["text"]) for s in said
            ]
            assert all(over < 0.2 for over in over_speech(when, script)), when
            assert not any(each["cancelled"] for each in said)
            assert max(each["level"] for each in heard["levels"]) > 0.02, "it is audible"

            picture = await goes_back_and_pauses(extension, page)
            await seeks_out_of_the_pause(extension, page, picture, script)
            assert (await extension.heard())["errors"] == []

    asyncio.run(go())


def test_a_black_picture_and_no_sound_are_said_once(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, _ = stage

    async def go() -> None:
        async with open_extension(tmp_path, serving) as extension:
            page = await watched(extension, address)
            await page.evaluate("document.body.style.background = 'black'")
            await page.evaluate("video.src = 'black.webm'; video.style.width = '100%'")
            await page.evaluate("video.play()")
            await extension.start(page)
            await extension.until_told("black")
            black = await extension.now()
            await page.wait_for_timeout(4_000)
            assert not [s for s in await extension.spoken() if s["start"] > black + 8_000]
            await page.evaluate("video.src = 'silent.webm'; video.play()")
            await extension.until_told("picture")
            assert await extension.until_told("no-audio") == ["on", "black", "picture", "no-audio"]
            await extension.until_spoken(1, await extension.now())

    asyncio.run(go())


def test_where_a_page_offers_descriptions_they_are_only_listened_to(
    tmp_path: Path, stage: tuple[str, str, Script]
) -> None:
    address, serving, _ = stage

    async def clip() -> AsyncIterator[bytes]:
        async with httpx.AsyncClient() as client:
            data = (await client.get(f"{address}clip.webm")).content
        size = len(data) // (SECONDS * 4)
        for at in range(0, len(data), size):
            yield data[at : at + size]
            await asyncio.sleep(0.1)

    async def go() -> None:
        stream = StreamAddress.parse(f"{serving}/v1/streams/offered")
        await publish(stream, Hello(container=Container.WEBM, delay=4.0), clip())
        ads = {m.text: m.start async for m in watch(stream) if isinstance(m, Ad)}
        async with open_extension(tmp_path, serving) as extension:
            page = await watched(extension, address, "offered.html")
            await extension.start(page)
            assert (await extension.status())["mode"] == "listen"
            said = await extension.until_spoken(3)
            for begin, _, text in await placed(page, said):
                assert begin == pytest.approx(ads[text], abs=0.4), text
            assert (await extension.heard())["contexts"] == [], "nothing is captured"
            assert await page.evaluate("Math.min(...samples.map((each) => each[2]))") < 0.6
            await extension.stop(page)
            await page.wait_for_function("() => video.volume === 1")
            async with httpx.AsyncClient() as client:
                streams = (await client.get(f"{serving}/v1/streams")).json()["streams"]
            assert "live" not in [s["state"] for s in streams], "nothing is sent"

    asyncio.run(go())
