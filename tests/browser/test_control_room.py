"""The control room in real Chromium: all that happens is there, by eye, by ear and by keyboard."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from service.eventlog.memory import MemoryEventLog
from service.eventlog.opening import retention_of
from service.security.gate import ANYBODY
from strad.flag import FlagKind
from strad.wire.asking import Finding
from strad.wire.viewing import Ad, Withdraw
from tests.browser.chromium import needs_chromium, npm_file, open_page
from tests.browser.control_room import (
    open_room,
    options,
    spills,
    tab,
    tab_to,
    until_connection_says,
    until_options,
    until_pressed,
    violations,
)
from tests.browser.staged import staged
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.publishing import LivePublisher, publishing
from tests.service.test_server import seen_by_viewer

if TYPE_CHECKING:
    from playwright.async_api import Page, Route

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

PROGRAMME = (
    "q" * 13 + "tttt" + "q" * 5 + "tt" + "q" * 12 + "t" * 8 + "q" * 6 + "n" + "ttt" + "q" * 6
)
"""Ten seconds before its end a long line is placed, and speech takes it back."""


async def play(publisher: LivePublisher, letters: str) -> None:
    """Media, fifty times as fast as life."""
    for letter in letters:
        await publisher.media(letter.encode())
        await asyncio.sleep(0.02)


PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, drain=20.0))
"""On a busy machine the rest of a stream takes longer to say."""


@asynccontextmanager
async def on_air(
    tmp_path: Path, letters: str = PROGRAMME, **page_options: Any
) -> AsyncIterator[tuple[LiveService, LivePublisher, Page]]:
    """A stream that has been on for a minute, and the control room, opened at it."""
    async with (
        live_service(staged(), PATIENT) as live,
        publishing(live.address(), delay=6.0) as publisher,
        open_page(tmp_path, **page_options) as page,
    ):
        await play(publisher, letters)
        await publisher.until("progress", live_edge=len(letters.replace("n", "")))
        await open_room(page, live.port, "news")
        await until_connection_says(page, "Connected")
        yield live, publisher, page


async def status_of(live: LiveService) -> dict[str, Any]:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{live.port}/v1/streams/news/status")
        status: dict[str, Any] = answer.json()
        return status


def clock(seconds: float) -> str:
    tenths = int(seconds * 10 + 0.5)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


async def until_text(page: Page, selector: str, pattern: str) -> str:
    """The text of an element, once it is so."""
    found = page.locator(selector).filter(has_text=re.compile(pattern))
    return " ".join((await found.first.inner_text()).split())


def test_all_that_happens_is_there_with_its_text_and_time(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path) as (live, publisher, page):
            await until_text(page, "#events", "Dropped")
            status = await status_of(live)
            newest = status["newest"]
            await publisher.tell(type="finish")
            await publisher.rest()
            await until_connection_says(page, "has ended")
            log = await seen_by_viewer(live)
            said = sum(isinstance(message, Ad) for message in log)
            check_ads(await until_options(page, lambda x: len(x) == said, "Description"), log)
            least = len(newest["drops"])
            drops = await until_options(page, lambda x: len(x) >= least, "Dropped")
            assert newest["drops"]
            for drop in newest["drops"]:
                line = f"{clock(drop['at'])} Dropped {drop['text']} ({drop['reason']}: "
                assert [text for text in drops if text.startswith(line)], (line, drops)
            assert len(set(drops)) == len(drops)
            closed = [gap for gap in newest["gaps"] if gap["end"] not in (None, gap["start"])]
            gaps = await until_options(page, lambda x: len(x) >= len(closed), "Gap")
            assert closed
            for gap in closed:
                length = f"{gap['end'] - gap['start']:.1f} s"
                line = f"{clock(gap['start'])} to {clock(gap['end'])} Gap {length}"
                assert gaps.count(line) == 1, (line, gaps)
            speech = "0:13.0 to 0:17.0 Speech 4.0 s"
            await until_options(page, lambda x: speech in x, "Speech")
            await until_options(page, lambda x: len(x) == 1, "Warning")
            for going_on in ("open", "goes on"):
                await until_options(page, lambda x: not x, going_on)
            await check_totals(page, log)

    asyncio.run(go())


def check_ads(listed: list[str], log: list[object]) -> None:
    """Every AD of the log once, with time, text, kind and label; and what became of it."""
    ads = [message for message in log if isinstance(message, Ad)]
    back = {message.id for message in log if isinstance(message, Withdraw)}
    assert back
    assert len(listed) == len(ads)
    for ad in ads:
        (line,) = [text for text in listed if text.endswith(ad.text)]
        assert line.startswith(f"{clock(ad.start)} to {clock(ad.end)} Description {ad.kind} ")
        assert "DRAFT" in line
        assert ("withdrawn: speech" in line) is (ad.id in back)


async def check_totals(page: Page, log: list[object]) -> None:
    summary = log[-1].summary  # type: ignore[attr-defined]
    await until_text(page, "#totals", f"Descriptions\\s*{summary.events}")
    await until_text(page, "#totals", f"Withdrawn\\s*{summary.withdrawn}")
    for reason, number in summary.drops.items():
        await until_text(page, "#drops", f"{reason}: [^0-9]*{number}")
    for reason, number in summary.waits.items():
        await until_text(page, "#waits", f"{reason}: [^0-9]*{number}")


def test_what_lands_now_appears_by_itself_and_can_be_announced(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 8) as (_, publisher, page):
            await page.get_by_role("checkbox", name="Announce what happens").check()
            await page.wait_for_timeout(1_600)
            before = len(await options(page, "Description"))
            said = ["Announcements are on."]
            for letter in "q" * 14 + "tttt" + "q" * 6:
                await publisher.media(letter.encode())
                await page.wait_for_timeout(150)
                said.append(await page.locator("#announcer").inner_text())
            await publisher.until("progress", live_edge=32.0)
            await page.wait_for_function(
                "before => document.querySelectorAll('#events li').length > before", arg=before + 2
            )
            told = [text for n, text in enumerate(said) if n and text != said[n - 1]]
            assert 1 <= len(told) <= 2, told  # in four seconds, at most one every five
            assert "Description" in told[0]
            await until_options(page, lambda x: "open" in " ".join(x), "Gap")
            await publisher.tell(type="finish")
            await publisher.rest()
            await until_text(page, "#standing", "^ended")

    asyncio.run(go())


def test_what_viewers_flag_stands_beside_the_description(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 12) as (live, _, page):
            await page.get_by_role("option").filter(has_text="Description").first.wait_for()
            log = await live.station.log.find("news")
            assert log is not None
            ad = next(e.message for e in await log.read(0) if isinstance(e.message, Ad))
            finding = Finding(kind=FlagKind.WRONG, note="It is a <b>dog</b>.")
            await live.station.flags.take(log, ad.id, finding, ANYBODY)
            flagged = page.get_by_role("option").filter(has_text="flagged: wrong 1")
            await flagged.wait_for(timeout=30_000)
            await flagged.click()
            await page.locator("#details").filter(has_text="It is a <b>dog</b>.").wait_for()

    asyncio.run(go())


def test_everything_is_reached_and_told_by_keyboard_alone(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, PROGRAMME * 2) as (live, _, page):
            await page.goto("about:blank")
            await open_room(page, live.port)
            await page.get_by_role("link", name="news").wait_for()
            assert await tab(page) == "Skip to the streams"
            await page.keyboard.press("Enter")
            await tab_to(page, "Table of streams")
            await tab_to(page, "news")
            await page.keyboard.press("Enter")
            await page.get_by_role("heading", name="Stream news").wait_for()
            assert await page.evaluate("document.activeElement.id") == "stream-title"
            await until_text(page, "#events", "Dropped")
            await walk_the_timeline(page)
            await walk_the_events(page)
            for name in ("Load as a table", "Lag as a table"):
                await tab_to(page, name)
                await page.keyboard.press("Enter")
                region = page.get_by_role("region", name=name)
                await region.get_by_role("table").wait_for()
            for name in ("WebVTT", "SRT", "JSON lines", "HLS playlist", "Metrics", "Health"):
                await tab_to(page, name)
            assert await tab(page) == ""  # out of the page: nothing holds the focus

    asyncio.run(go())


async def walk_the_timeline(page: Page) -> None:
    await tab_to(page, "Pause the display")
    await page.keyboard.press("Space")
    await until_pressed(page, "Pause the display", True)
    await page.keyboard.press("Space")
    await until_pressed(page, "Pause the display", False)
    await until_pressed(page, "Follow the live edge", True)
    shown = await page.locator("#shown").inner_text()
    for name in ("Earlier", "Later", "Zoom in", "Zoom out"):
        await tab_to(page, name)
        await page.keyboard.press("Enter")
        await page.wait_for_function(
            "before => document.getElementById('shown').innerText !== before", arg=shown
        )
        shown = await page.locator("#shown").inner_text()
    await until_pressed(page, "Follow the live edge", False)
    await tab_to(page, "Follow the live edge")
    await page.keyboard.press("Space")
    await until_pressed(page, "Follow the live edge", True)


async def walk_the_events(page: Page) -> None:
    """Arrow keys go from event to event; each is named, and its details are a key away."""
    await tab_to(page, "Speech")
    await page.keyboard.press("Space")
    await until_options(page, lambda x: not x, "Speech")
    await tab_to(page, "Events")
    everything = await options(page)

    async def active() -> str:
        return " ".join(
            (
                await page.evaluate(
                    "document.getElementById(document.activeElement"
                    ".getAttribute('aria-activedescendant')).innerText"
                )
            ).split()
        )

    await page.keyboard.press("Home")
    assert await active() == everything[0]
    for n in range(1, 4):
        await page.keyboard.press("ArrowDown")
        assert await active() == everything[n]
    await page.keyboard.press("ArrowLeft")
    assert await active() == everything[2]
    await page.keyboard.press("PageDown")
    assert await active() == everything[min(12, len(everything) - 1)]
    await page.keyboard.press("End")
    assert await active() == everything[-1]
    while "Description" not in await active():
        await page.keyboard.press("ArrowUp")
    chosen = await active()
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.id") == "details"
    details = " ".join((await page.locator("#details").inner_text()).split())
    assert chosen.partition("DRAFT ")[2] in details
    assert "Lag" in details
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.activeElement.id") == "events"
    assert await page.locator("#picture .chosen").count() == 1


def test_nothing_is_against_the_rules_of_accessibility(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")

    async def go() -> None:
        async with on_air(tmp_path, fails=False) as (live, publisher, page):
            await until_text(page, "#events", "Dropped")
            await page.locator("#events").focus()
            await page.keyboard.press("End")
            for name in ("Load as a table", "Lag as a table"):
                await page.get_by_text(name).click()
            assert await violations(page) == [], "live"
            for width, height in ((320, 640), (640, 400)):
                assert await spills(page, width, height) == 0, width
            await publisher.tell(type="finish")
            await publisher.rest()
            await until_connection_says(page, "has ended")
            assert await violations(page) == [], "ended"
            await open_room(page, live.port, "nobody")
            await until_text(page, "#standing", "^waiting")
            assert await violations(page) == [], "waiting"
            live.server.ask_to_stop()
            await until_text(page, "#service", "does not answer")
            await until_connection_says(page, "Connecting again")
            assert await violations(page) == [], "lost"
        async with live_service(staged()) as live, open_page(tmp_path / "b") as page:
            await open_room(page, live.port)
            await until_text(page, "#streams-count", "No streams yet")
            assert await violations(page) == [], "empty"

    asyncio.run(go())


def test_names_and_landmarks_are_as_a_screen_reader_needs_them(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path) as (_, _, page):
            await until_text(page, "#events", "Dropped")
            for landmark in ("banner", "main", "contentinfo", "navigation"):
                assert await page.get_by_role(landmark).count() == 1  # type: ignore[arg-type]
            levels = await page.evaluate(
                "[...document.querySelectorAll('h1,h2,h3,h4')]"
                ".filter(h => h.checkVisibility()).map(h => +h.tagName[1])"
            )
            assert levels[0] == 1
            assert all(after - before <= 1 for before, after in pairwise(levels))
            told = await page.locator("main").aria_snapshot()
            for name in (
                'region "Gap timeline"',
                'group "What the timeline shows"',
                'listbox "Events"',
                'region "Details"',
                'button "Follow the live edge" [pressed]',
                'group "List"',
                'checkbox "Descriptions" [checked]',
                'table "Streams, updated while you read; follow a name to open the stream."',
                'columnheader "Behind"',
                'rowheader "news"',
            ):
                assert name in told, name
            assert re.search(r"Now \d.*Median \(p50\).*95th percentile \(p95\)", told)
            assert await page.locator("#picture").get_attribute("aria-hidden") == "true"

    asyncio.run(go())


def test_pausing_holds_the_display_and_loses_nothing(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 8) as (_, publisher, page):
            await until_text(page, "#events", "Description")
            pause = page.get_by_role("button", name="Pause the display")
            await pause.click()
            held = await options(page)
            await play(publisher, "q" * 30)
            await publisher.until("progress", live_edge=38.0)
            await page.wait_for_timeout(500)
            assert await options(page) == held
            await pause.click()
            await until_options(page, lambda x: len(x) > len(held))

    asyncio.run(go())


def test_a_describer_that_is_down_is_told_of(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 8) as (live, _, page):
            (publication,) = live.station.publications
            publication.quality.up = False
            await until_text(page, "#streams-body", "the describer does not answer")
            await until_text(page, "#warnings", "the describer does not answer")
            publication.quality.up = True
            await until_text(page, "#streams-body", "none")

    asyncio.run(go())


def test_a_service_that_goes_away_says_so(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 8, fails=False) as (live, _, page):
            live.station.streams.closed = True  # the first thing it does when it is told to stop
            await until_text(page, "#service", "going away")
            live.server.ask_to_stop()
            await until_connection_says(page, "has ended")
            await until_text(page, "#service", "does not answer")

    asyncio.run(go())


def test_an_answer_from_before_the_end_does_not_open_the_stream_again(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air(tmp_path, "q" * 8) as (_, publisher, page):
            sockets: list[object] = []
            page.on("websocket", lambda socket: sockets.append(socket))
            asked, ended, told = asyncio.Event(), asyncio.Event(), asyncio.Event()

            async def hold(route: Route) -> None:
                answer = await route.fetch()
                if asked.is_set() and ended.is_set():
                    told.set()
                asked.set()
                await ended.wait()
                await route.fulfill(response=answer)

            await page.route("**/news/status", hold)
            async with asyncio.timeout(60):
                await asked.wait()
                await publisher.tell(type="finish")
                await publisher.rest()
                await until_connection_says(page, "has ended")
                ended.set()
                await told.wait()
            await until_connection_says(page, "has ended")
            assert not sockets
            await page.unroute_all(behavior="wait")

    asyncio.run(go())


def test_a_stream_of_another_process_shows_what_is_said_and_says_what_lacks(tmp_path: Path) -> None:
    async def go() -> None:
        log = MemoryEventLog(retention_of(SETTINGS.limits))
        async with (
            live_service(staged(), SETTINGS, log) as there,
            live_service(staged(), SETTINGS, log) as here,
            publishing(there.address(), delay=6.0) as publisher,
            open_page(tmp_path) as page,
        ):
            await play(publisher, "q" * 12)
            await open_room(page, here.port, "news")
            await page.get_by_text("Another process describes this stream").wait_for()
            await page.get_by_role("option").filter(has_text="Description").first.wait_for()
            assert await options(page, "Gap") == []
            await until_text(page, "#totals-note", "Counted by this page")

    asyncio.run(go())


BOUNDED = """async () => {
  const {Record, MOST_EVENTS, MOST_SAMPLES} = await import("/control-room/record.js");
  const told = {added: 0, removed: 0};
  const record = new Record({added() { told.added += 1; }, removed() { told.removed += 1; },
    changed() {}, moved() {}, anew() {}});
  record.take({type: "hello", log: "a", state: "live"});
  const hour = 3600, stride = 2;
  for (let at = 0, seq = 1; at < 10 * hour; at += stride, seq += 1) {
    record.take({type: "gap", start: at});
    record.take({type: "ad", seq, id: "ad-" + seq, start: at, end: at + 1, text: "x", kind: "scene",
      forms: ["x"], lag_emit: 1, window_end: at, provisional: seq % 2 === 0});
    record.take({type: "gap", start: at, end: at + 1.5});
    record.takeStatus({log: "a", figures: {live_edge: at, cursor: at, load: 0.5},
      newest: {gaps: [{start: at, end: at + 1.5}], drops: [{at, reason: "repeat", text: "y"}],
        ads: []}});
  }
  const starts = record.events.map(event => event.start);
  return {events: record.events.length, keys: record.byKey.size, unsure: record.unsure.size,
    load: record.load.points.length, lag: record.lag.points.length, forgotten: record.forgotten,
    left: told.added - told.removed, most: [MOST_EVENTS, MOST_SAMPLES],
    sorted: starts.every((at, n) => !n || at >= starts[n - 1])};
}"""

TWICE = """async () => {
  const {Record} = await import("/control-room/record.js");
  const record = new Record({added() {}, removed() {}, changed() {}, moved() {}, anew() {}});
  const ad = {type: "ad", seq: 2, id: "ad-1", start: 1, end: 2, text: "x", kind: "scene",
    forms: ["x"], lag_emit: 1, window_end: 2, provisional: true};
  record.take({type: "hello", log: "a", state: "live"});
  for (const again of [1, 2]) record.take(ad);
  record.take({type: "gap", start: 3});
  record.take({type: "gap", start: 3, end: 5});
  record.take({type: "gap", start: 9});
  record.take({type: "gap", start: 9, end: 9});
  const before = record.events.map(({key, end}) => [key, end]);
  record.take({type: "hello", log: "a", state: "live"});
  record.take(ad);
  record.take({type: "gap", start: 20});
  const after = record.events.map(({key, end}) => [key, end]);
  record.take({type: "hello", log: "b", state: "live"});
  return [before, after, record.events.length, record.last];
}"""


def test_the_record_is_bounded_and_holds_nothing_twice(tmp_path: Path) -> None:
    async def go() -> tuple[dict[str, Any], list[Any]]:
        async with live_service(staged(), SETTINGS) as live, open_page(tmp_path) as page:
            await open_room(page, live.port)
            return await page.evaluate(BOUNDED), await page.evaluate(TWICE)

    bounded, (before, after, left, last) = asyncio.run(go())
    most_events, most_samples = bounded["most"]
    assert bounded["events"] == bounded["keys"] == bounded["left"] == most_events
    assert bounded["load"] == bounded["lag"] == most_samples
    assert bounded["unsure"] <= 2
    assert bounded["forgotten"] > 50_000
    assert bounded["sorted"]
    # A gap that was none is taken back, and speech goes on; what was told while away isn't guessed.
    assert before == [["ad:ad-1", 2], ["gap:3", 5], ["speech:5", None]]
    assert after == [*before, ["gap:20", None]]
    assert (left, last) == (0, 0)
