"""Web Speech for real: Chromium with a window, eSpeak NG by Speech Dispatcher, a silent sound card.

Headless Chromium has no voices, so every other test has a recorder in their place.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from clients.python.publisher import publish
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium, open_page
from tests.browser.hls_video import segments
from tests.browser.player import FIRST_PTS, MOST_LATE, play, serve_video, until
from tests.browser.speaking_machine import need_voices, speaking_machine
from tests.browser.staged import played, staged
from tests.service.live import live_service
from tests.service.test_server import HELLO, seen_by_viewer

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

SECONDS = 16
FLAGS = ("--enable-speech-dispatcher",)

WITNESS = """
const heard = [];
Object.defineProperty(window, "heard", { value: heard });
const speak = speechSynthesis.speak.bind(speechSynthesis);
const cancel = speechSynthesis.cancel.bind(speechSynthesis);
let cancelled = 0;
const at = () => document.querySelector("video").currentTime;
speechSynthesis.cancel = () => { cancelled += 1; cancel(); };
speechSynthesis.speak = (utterance) => {
  const entry = { text: utterance.text, voice: utterance.voice?.name, asked: at(), cancelled };
  heard.push(entry);
  for (const kind of ["start", "end", "error"])
    utterance.addEventListener(kind, (event) => {
      entry[kind] = event.error ?? at();
      entry.cancelledAt = cancelled;
    });
  speak(utterance);
};
"""
"""Writes down what the browser's own synthesiser says of each utterance, and changes nothing."""


def test_the_players_voices_are_the_machines_and_end_by_themselves(tmp_path: Path) -> None:
    need_voices()
    video = segments(SECONDS, FIRST_PTS)

    async def go(folder: Path) -> None:
        async with live_service(staged()) as live, speaking_machine(folder) as screen:
            await publish(live.address(), HELLO, played("q" * SECONDS, 200))
            said = {m.text: m for m in await seen_by_viewer(live) if isinstance(m, Ad)}
            async with open_page(tmp_path, flags=FLAGS, screen=screen) as page:
                await page.add_init_script(WITNESS)
                await page.goto(await serve_video(page, live.port, video))
                await choose_a_voice(page)
                await page.get_by_label("Rate of the voice").fill("1.5")
                await page.keyboard.press("Alt+Shift+D")
                await page.locator("#status").filter(has_text="Descriptions on").wait_for()
                await play(page)
                described = "heard.filter(h => /Take /.test(h.text))"
                await until(page, f"{described}.filter(h => 'end' in h || 'error' in h).length > 0")
                heard = await page.evaluate(f"{described}.filter(h => 'end' in h || 'error' in h)")
        check(heard, said)

    with TemporaryDirectory(prefix="strad-") as name:  # a socket's path has at most 107 characters
        asyncio.run(go(Path(name)))


async def choose_a_voice(page: Page) -> None:
    """Those of the programme's language are offered, of thousands, and a British one is chosen."""
    await page.get_by_text("How descriptions are spoken").click()
    voices = page.locator("select[name=voice]")
    british = voices.locator("option", has_text="English (Great Britain)").first
    await british.wait_for(state="attached", timeout=60_000)
    offered = await voices.locator("option").all_inner_texts()
    assert len(offered) > 1
    assert all("(en" in text for text in offered[1:]), "of other languages"
    await voices.select_option(await british.get_attribute("value"))


def check(heard: list[dict[str, Any]], said: dict[str, Ad]) -> None:
    for entry in heard:
        assert "error" not in entry, entry
        assert entry["cancelledAt"] == entry["cancelled"], "somebody cut it: the watchdog?"
        assert entry["voice"].startswith("English (Great Britain)")
        ad = said[entry["text"]]
        assert ad.start - 0.1 < entry["asked"] < ad.start + MOST_LATE, (entry, ad)
        assert entry["asked"] <= entry["start"] < entry["end"] < ad.end + MOST_LATE, (entry, ad)
        assert entry["end"] - entry["start"] > 0.8, "sound takes time"
