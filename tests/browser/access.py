"""What somebody meets who sees little or nothing: names, the way by keys, what is cut off."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops

from tests.browser.control_room import LOOKS, tab

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page

CONTROLS = {
    "button",
    "checkbox",
    "combobox",
    "DisclosureTriangle",
    "link",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "textbox",
}
"""Roles of what is operated."""

ZOOMED = {"width": 640, "height": 400}
"""A window of 1280 x 800 at 200 %."""


async def accessible(page: Page) -> list[dict[str, Any]]:
    """Chromium's own accessibility tree, in reading order; what it ignores is left out."""
    session = await page.context.new_cdp_session(page)
    found = await session.send("Accessibility.getFullAXTree")
    await session.detach()
    nodes = {node["nodeId"]: node for node in found["nodes"]}
    waiting = [next(node["nodeId"] for node in found["nodes"] if "parentId" not in node)]
    ordered = []
    while waiting:
        node = nodes.get(waiting.pop())
        if node is not None:
            ordered.append(node)
            waiting += reversed(node.get("childIds", []))
    return [node for node in ordered if not node.get("ignored")]


async def controls(page: Page) -> list[tuple[str, str]]:
    """Role and name of whatever can be operated, as the browser tells assistive technology."""
    return [
        (node["role"]["value"], node.get("name", {}).get("value", "").strip())
        for node in await accessible(page)
        if node["role"]["value"] in CONTROLS and not _is(node, "disabled")
    ]


async def said_of(page: Page, role: str) -> list[str]:
    """The names of all nodes with that role."""
    return [
        node.get("name", {}).get("value", "")
        for node in await accessible(page)
        if node["role"]["value"] == role
    ]


def _is(node: dict[str, Any], state: str) -> bool:
    values = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
    return values.get(state) is True


async def walk(page: Page, most: int = 80) -> list[str]:
    """Everything that Tab reaches, from where the focus is, round to where it began."""
    found: list[str] = []
    for _ in range(most):
        name = await tab(page)
        if found and name == found[0]:
            return found
        if name:  # else the browser's own controls have it
            found.append(name)
    raise AssertionError(f"Tab has no end: {found}")


TROUBLES = """() => {
  const troubles = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const all = [...document.querySelectorAll("button, input, select, summary, a, h1, h2, label, p")]
    .filter((e) => shown(e) && !e.matches(".skip, .apart, [type=file]"));
  const width = document.documentElement.clientWidth;
  const name = (e) => `${e.tagName} ${(e.id || e.name || e.textContent).trim().slice(0, 40)}`;
  for (const e of all) {
    const box = e.getBoundingClientRect();
    if (box.left < -1 || box.right > width + 1) troubles.push(`${name(e)} lies outside`);
    if (e.matches("button, summary, a, h1, h2, p") && e.scrollWidth > e.clientWidth + 1
        && getComputedStyle(e).display !== "inline") troubles.push(`${name(e)} is cut off`);
  }
  for (const e of all.filter((e) => e.matches("button, input, select, summary"))) {
    e.scrollIntoView({ block: "center" });
    const box = e.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (!(top && (e.contains(top) || top.contains(e)))) troubles.push(`${name(e)} is covered`);
    if (Math.min(box.width, box.height) < 20) troubles.push(`${name(e)} is smaller than 20 px`);
  }
  window.scrollTo(0, 0);
  return troubles;
}"""

CONTRAST = """() => {
  const e = document.activeElement;
  const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(e);
  const behind = getComputedStyle(document.body).backgroundColor;
  if (e === document.body) return true; // the browser's own controls have it
  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && outlineColor !== behind;
}"""


async def troubles(page: Page) -> list[str]:
    """What is cut off, covered or too small at 200 %, or with text twice as big, in each look."""
    before = page.viewport_size
    found: list[str] = []
    for look in LOOKS:
        await page.emulate_media(**look)
        for zoom, size, text in (("200 %", ZOOMED, ""), ("text 200 %", before, "200%")):
            if size is not None:
                await page.set_viewport_size({"width": size["width"], "height": size["height"]})
            await page.evaluate(f"document.documentElement.style.fontSize = '{text}'")
            found += [f"{look} {zoom}: {each}" for each in await page.evaluate(TROUBLES)]
            await page.keyboard.press("Tab")
            if not await page.evaluate(CONTRAST):
                found.append(f"{look} {zoom}: what has the focus doesn't show it")
    await page.evaluate("document.documentElement.style.fontSize = ''")
    if before is not None:
        await page.set_viewport_size(before)
    await page.emulate_media(**LOOKS[0])
    return found


BACKWARDS = """e => {
  e.style.width = `${e.offsetWidth}px`;
  e.style.textAlign = "left";
  for (const node of e.childNodes)
    if (node.nodeType === 3) node.data = [...node.data].reverse().join("");
}"""


async def legible(button: Locator) -> bool:
    """Whether it looks otherwise with its letters backwards, where the system sets all colours."""
    await button.page.emulate_media(**LOOKS[-1])
    await button.evaluate(BACKWARDS)
    before = await button.screenshot()
    await button.evaluate(BACKWARDS)
    after = await button.screenshot()
    await button.page.emulate_media(**LOOKS[0])
    pictures = [Image.open(io.BytesIO(data)).convert("L") for data in (before, after)]
    changed = ImageChops.difference(*pictures).point(lambda value: 255 if value > 64 else 0)
    return changed.histogram()[255] > 50
