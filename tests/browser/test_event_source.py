"""EventSource in real Chromium: it resumes by itself, misses nothing, and stops at the end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from service.connections import HttpConnection
from strad.wire.viewing import About
from tests.browser.chromium import needs_chromium, open_page
from tests.service.ads import ad
from tests.service.fakes import Workshop
from tests.service.live import live_service

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]

PAGE = """<!doctype html><html lang="en"><title>listener</title><link rel="icon" href="data:,">
<script>
const seen = [], opened = [];
const source = new EventSource("/v1/streams/news/events?kinds=action");
source.onopen = () => opened.push(performance.now());
source.onmessage = event => {
  const message = JSON.parse(event.data);
  if (message.seq) seen.push(message.seq);
};
</script></html>"""

ABOUT = About(describer="facts", draft=True, delay=12.0, language="en")


def test_a_browser_resumes_by_itself_and_stops_at_the_end(tmp_path: Path) -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            open_page(tmp_path, fails=False) as page,  # the browser logs what we break off
        ):
            await page.route(
                "**/listener", lambda route: route.fulfill(body=PAGE, content_type="text/html")
            )
            async with live.station.streams.publishing("news", ABOUT) as stream:
                await page.goto(f"http://127.0.0.1:{live.port}/listener")
                for n in range(1, 21):
                    await stream.log.append(lambda seq: ad(seq, seq, seq + 1))
                    if n % 8 == 0:
                        await page.wait_for_function(f"seen.at(-1) === {n}")
                        break_off(list(live.server.server_state.connections))
                await stream.end(None, None)
            await page.wait_for_function(f"seen.at(-1) === {stream.log.last}")
            await page.wait_for_function("source.readyState === EventSource.CLOSED")
            assert await page.evaluate("seen") == list(range(1, stream.log.last + 1))
            assert await page.evaluate("opened.length") == 3

    asyncio.run(go())


def break_off(connections: list[object]) -> None:
    for connection in connections:
        if isinstance(connection, HttpConnection):
            connection.transport.abort()
