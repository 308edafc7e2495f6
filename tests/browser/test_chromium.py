"""The browser that other suites look through: it opens, it runs scripts, it tells of errors."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.browser.chromium import needs_chromium, open_page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium]


def test_a_page_is_seen_as_a_screen_reader_sees_it(tmp_path: Path) -> None:
    async def go() -> str:
        async with open_page(tmp_path) as page:
            await page.set_content("<h1>Streams</h1><button>Stop</button>")
            return await page.locator("body").aria_snapshot()

    assert asyncio.run(go()).splitlines() == ['- heading "Streams" [level=1]', '- button "Stop"']


def test_a_page_that_throws_fails_the_test(tmp_path: Path) -> None:
    async def go() -> None:
        async with open_page(tmp_path) as page:
            await page.set_content("<script>throw new Error('lost')</script>")
            await page.wait_for_timeout(100)

    with pytest.raises(AssertionError, match="lost"):
        asyncio.run(go())
