"""The player with the service's own voice: eSpeak NG by the service, played in real Chromium."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clients.python.publisher import publish
from service.settings import Speech
from strad.wire.viewing import Ad
from tests.browser.chromium import needs_chromium, open_page
from tests.browser.hls_video import segments
from tests.browser.player import FIRST_PTS, MOST_LATE, open_player, play, spoken, until
from tests.browser.staged import played, staged
from tests.service.live import SETTINGS, live_service
from tests.service.test_server import HELLO, seen_by_viewer

pytestmark = [
    pytest.mark.service,
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng"),
]

SECONDS = 20
SPEAKS = replace(SETTINGS, speech=Speech(program="espeak-ng", voice="en-gb"))

WITNESS = """
const played = [];
Object.defineProperty(window, "played", { value: played });
const begin = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  if (this instanceof HTMLVideoElement) return begin.call(this);
  const at = () => document.querySelector("video").currentTime;
  const entry = { at: at(), rate: this.playbackRate, src: this.src, volume: this.volume };
  played.push(entry);
  this.addEventListener("ended", () => {
    if (played.at(-1) === entry) Object.assign(entry, { ended: at(), length: this.duration });
  });
  return begin.call(this);
};
"""
"""Writes down which sounds a page played, and when on its video's clock."""


def test_descriptions_are_played_in_their_time_and_answers_spoken_here(tmp_path: Path) -> None:
    video = segments(SECONDS, FIRST_PTS)
    chosen = {
        "speech": "service",
        "on": True,
        "voices": {"en": {"rate": 1.5, "volume": 0.7}},
    }

    async def go() -> None:
        async with live_service(staged(), SPEAKS) as live, open_page(tmp_path) as page:
            await publish(live.address(), HELLO, played("q" * SECONDS, 200))
            said = [m for m in await seen_by_viewer(live) if isinstance(m, Ad)]
            await page.add_init_script(WITNESS)
            await open_player(page, live.port, video, chosen)
            await play(page)
            await until(page, "played.filter(p => p.ended).length >= 1")
            found = await page.evaluate("played.filter(p => p.ended)")
            check(found, said)
            # What is asked for by a key is no description: the browser's voice says it.
            assert await spoken(page) == []
            await page.keyboard.press("Alt+Shift+N")
            assert await spoken(page, 1)

    asyncio.run(go())


def check(found: list[dict[str, Any]], said: list[Ad]) -> None:
    for entry in found:
        ad = min(said, key=lambda ad: abs(ad.start - entry["at"]))
        assert ad.start - 0.1 < entry["at"] < ad.start + MOST_LATE
        assert entry["ended"] <= ad.end + MOST_LATE
        assert entry["src"].startswith("blob:")
        assert entry["volume"] == 0.7
        assert 1.5 <= entry["rate"] <= 1.5 * 1.6 + 0.05, "hurried, where it began late"
        assert entry["ended"] - entry["at"] == pytest.approx(
            entry["length"] / entry["rate"], abs=MOST_LATE
        )
