"""The control room as tests use it: opened in a real browser, read as a person reads it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import npm_file

if TYPE_CHECKING:
    from playwright.async_api import Page

LOOKS: tuple[dict[str, Any], ...] = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "active"},
)
"""How it may be looked at."""


async def open_room(page: Page, port: int, stream: str = "") -> None:
    await page.goto(f"http://127.0.0.1:{port}/" + (f"#/{stream}" if stream else ""))


async def options(page: Page, sort: str = "") -> list[str]:
    """The events that are listed, of one sort or of all, as a screen reader reads them."""
    found = await page.get_by_role("option").all_inner_texts()
    texts = [" ".join(text.split()) for text in found]
    return [text for text in texts if f" {sort} " in f" {text} "] if sort else texts


async def until_options(
    page: Page, right: Callable[[list[str]], bool], sort: str = "", limit: float = 20.0
) -> list[str]:
    """The events listed, once they are ``right``: a page changes a moment after its cause."""
    async with asyncio.timeout(limit):
        while not right(found := await options(page, sort)):
            await page.wait_for_timeout(50)
    return found


async def until_pressed(page: Page, name: str, pressed: bool) -> None:
    """Until the button is down, or up."""
    state = f"[aria-pressed={str(pressed).lower()}]"
    await page.get_by_role("button", name=name).and_(page.locator(state)).wait_for()


async def until_connection_says(page: Page, words: str, limit: float = 20.0) -> None:
    await page.locator("#connection").filter(has_text=words).wait_for(timeout=limit * 1_000)


async def violations(page: Page) -> list[str]:
    """What axe-core finds wrong in each look, and what spills over the page's side."""
    await page.evaluate(npm_file("axe-core/axe.min.js").decode())
    found: list[str] = []
    for look in LOOKS:
        await page.emulate_media(**look)
        report = await page.evaluate("axe.run({resultTypes: ['violations']})")
        found += [
            f"{look}: {each['id']}: {node['html'][:200]}: {node['failureSummary'][:300]}"
            for each in report["violations"]
            for node in each["nodes"]
        ]
    await page.emulate_media(**LOOKS[0])
    return found


async def spills(page: Page, width: int, height: int) -> int:
    """By how many pixels the page is wider than a window of that size."""
    before = page.viewport_size
    await page.set_viewport_size({"width": width, "height": height})
    over: int = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    if before is not None:
        await page.set_viewport_size(before)
    return over


FOCUSED = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const name = at.getAttribute("aria-label") || at.labels?.[0]?.innerText
    || document.getElementById(at.getAttribute("aria-labelledby"))?.innerText || at.innerText;
  return [at.tagName === "BODY" ? "" : name.trim().replace(/\\s+/g, " ").slice(0, 60),
    style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
}"""


async def tab(page: Page) -> str:
    """Press Tab; the name of what has the focus then, which must be seen to have it."""
    await page.keyboard.press("Tab")
    name, seen = await page.evaluate(FOCUSED)
    assert seen or not name, f"{name!r} has the focus and doesn't show it"
    return str(name)


async def tab_to(page: Page, name: str, most: int = 40) -> None:
    """Tab until ``name`` has the focus."""
    passed = []
    for _ in range(most):
        passed.append(await tab(page))
        if passed[-1].startswith(name):
            return
    raise AssertionError(f"no way to {name!r} by Tab: {passed}")
