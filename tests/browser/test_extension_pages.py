"""The extension's own pages for everybody: in every state, by keys alone, with names."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.chromium import needs_chromium, npm_file
from tests.browser.control_room import spills, tab_to, violations
from tests.browser.extension import ID, Extension, needs_node, open_extension
from tests.browser.site import site
from tests.browser.small_films import film

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = [pytest.mark.service, pytest.mark.slow, needs_chromium, needs_node]

NOBODY = "http://127.0.0.1:9/"
"""A service that does not answer."""

SILENT = b'<!doctype html><title>film</title><video id="video" src="film.webm" loop></video>'

NAMELESS = re.compile(r"- (button|textbox|combobox|radio|spinbutton|link|slider)(:.*)?$", re.M)


async def sound(page: Page, state: str) -> None:
    """Nothing that axe finds, nothing without a name, nothing over the side, small or zoomed."""
    assert await violations(page) == [], state
    tree = await page.locator("body").aria_snapshot()
    assert not NAMELESS.search(tree), (state, tree)
    assert await spills(page, 320, 640) <= 0, state
    assert await spills(page, 640, 400) <= 0, f"{state}, 200 % of 1280 x 800"


async def open_popup(extension: Extension) -> Page:
    """The popup of the one tab that isn't ours, as a page of its own."""
    found = await extension.desk.evaluate("chrome.tabs.query({})")
    [tab] = [each["id"] for each in found if not each.get("url", "").startswith("chrome-ext")]
    popup = await extension.context.new_page()
    await popup.goto(f"chrome-extension://{ID}/popup.html?tab={tab}")
    return popup


def test_the_options_are_set_and_carried_away_by_keys_alone(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")

    async def go() -> None:
        async with open_extension(tmp_path / "profile", NOBODY) as extension:
            page = extension.desk
            await page.reload()
            await page.get_by_role("cell", name="Alt+Shift+D").first.wait_for()
            await sound(page, "options")
            await tab_to(page, "Address of the service")
            await page.keyboard.press("Control+A")
            await page.keyboard.type("http://ad.example.org/")
            await page.keyboard.press("Enter")
            await page.get_by_role("alert").filter(has_text="begins with https").wait_for()
            await sound(page, "a wrong address")
            await page.keyboard.press("Control+A")
            await page.keyboard.type("https://ad.example.org")
            await tab_to(page, "At once")
            await page.keyboard.press("ArrowDown")
            await tab_to(page, "Detail")
            await page.keyboard.press("f")
            await tab_to(page, "Save")
            await page.keyboard.press("Enter")
            await page.get_by_role("status").filter(has_text="Saved").wait_for()
            await sound(page, "saved")
            kept = json.loads(await page.evaluate("localStorage['strad-extension']"))
            assert kept["service"] == "https://ad.example.org/"
            assert kept["delayed"] is True
            await tab_to(page, "Export")
            async with page.expect_download() as begun:
                await page.keyboard.press("Enter")
            file = await (await begun.value).path()
            await page.get_by_label("Detail").select_option("brief")
            await page.get_by_label("Import settings").set_input_files(file)
            await page.get_by_role("status").filter(has_text="Imported").wait_for()
            assert await page.get_by_label("Detail").input_value() == "full"

    asyncio.run(go())


def test_the_popup_starts_tells_and_stops_by_keys_alone(tmp_path: Path) -> None:
    npm_file("axe-core/axe.min.js")
    files = {"page.html": SILENT, "film.webm": film(10, black=False, tone=True)}

    async def go(address: str) -> None:
        async with open_extension(tmp_path / "profile", NOBODY, delayed=True) as extension:
            page = await extension.context.new_page()
            await page.goto(f"{address}page.html")
            await page.evaluate("video.play()")
            popup = await open_popup(extension)
            await popup.get_by_role("status").filter(has_text="is off").wait_for()
            await sound(popup, "off")
            await extension.start(page)
            await popup.bring_to_front()
            await popup.locator("#notices").filter(has_text="is lost").wait_for()
            await popup.get_by_role("button", name="Stop", exact=True).wait_for()
            await sound(popup, "on, without its service")
            await tab_to(popup, "Louder")
            await popup.keyboard.press("Enter")
            await popup.locator("#last").filter(has_text="lowered").wait_for()
            await tab_to(popup, "Stop")
            await popup.keyboard.press("Enter")
            await popup.get_by_role("status").filter(has_text="is off").wait_for()
            await sound(popup, "stopped")
            picture = await extension.context.new_page()
            await picture.goto(f"chrome-extension://{ID}/picture.html")
            await picture.get_by_role("status").filter(has_text="Waiting").wait_for()
            await sound(picture, "the picture that is held back")

    with site(files) as address:
        asyncio.run(go(address))
