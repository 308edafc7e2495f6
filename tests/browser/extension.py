"""The extension as tests use it: built, loaded, pressed as a user presses it, and overheard.

It is the test build: a recorder stands for the voice, which headless browsers have none of, and
writes down what is said when, and how loud the tab is at the viewer's ears.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from tests import tree
from tests.browser.chromium import open_browser

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

CLIENTS = tree.ROOT / "clients"
ID = "ehkammohkdfnfmgmoplpnagfajmbbeao"
FOLDER = TemporaryDirectory()

needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (CLIENTS / "node_modules" / "esbuild").exists(),
    reason="needs node and the pinned packages: make clients",
)

ASK = "message => chrome.runtime.sendMessage(message).catch(() => null)"
KEEP = "options => localStorage.setItem('strad-extension', JSON.stringify(options))"
ON = "Audio description is on."
APART = 0.4
"""Seconds by which the clock of what is heard may be off the player's."""
OFF = "Audio description is off."


@cache
def built() -> Path:
    """The test build, made once."""
    folder = Path(FOLDER.name) / "extension"
    subprocess.run(
        ["node", "extension/build.js", str(folder), "--test"], cwd=CLIENTS, check=True, timeout=120
    )
    return folder


class Extension:
    """A browser with the extension, and one page of the extension to ask it from."""

    def __init__(self, context: BrowserContext, desk: Page, cdp: CDPSession) -> None:
        self.context = context
        self.desk = desk
        self.cdp = cdp
        self.logged: list[str] = []
        context.service_workers[0].on("console", lambda said: self.logged.append(said.text))

    async def ask(self, **message: Any) -> Any:
        return await self.desk.evaluate(ASK, message)

    async def status(self) -> dict[str, Any]:
        """How it stands; of an extension that does nothing, the same as when it's off."""
        found = await self.ask(to="offscreen", type="status")
        return found or {"tab": None, "line": OFF, "notices": [], "last": ""}

    async def heard(self) -> dict[str, Any]:
        """What the viewer heard so far; see clients/extension/test/shim.js."""
        found: dict[str, Any] = await self.ask(to="test")
        return found

    async def spoken(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await self.heard() or {"spoken": []})["spoken"]
        return found

    async def told(self) -> list[str]:
        """The codes of what was said of how things go, in order."""
        return [notice["code"] for notice in (await self.status())["notices"]]

    async def until(self, right: Callable[[Any], bool], ask: Any, limit: float = 60.0) -> Any:
        """What ``ask`` answers, once it is right."""
        found = None
        try:
            async with asyncio.timeout(limit):
                while not right(found := await ask()):
                    await self.desk.wait_for_timeout(100)
        except TimeoutError:
            raise AssertionError(f"never right: {found}\n{await self.account()}") from None
        return found

    async def account(self) -> str:
        """What led to where it is, for a test that fails: the newest last."""
        heard = await self.heard() or {}
        # When; where on the tab's clock, and on the player's; whether it plays.
        heads = [
            f"{head['wall']} {head['heard']:.3f} {head['player']:.3f} {head['playing']}"
            for head in heard.get("heads", [])[-40:]
        ]
        said = [str(each) for each in heard.get("spoken", [])[-8:]]
        lines = (*heads, *said, *heard.get("told", []), *self.logged, str(await self.status()))
        return "\n".join(lines)

    async def until_told(self, code: str, limit: float = 60.0) -> list[str]:
        found: list[str] = await self.until(lambda codes: code in codes, self.told, limit)
        return found

    async def until_spoken(self, least: int, since: float = 0.0) -> list[dict[str, Any]]:
        """Descriptions begun after ``since``, milliseconds of wall time, when there are so many."""

        async def lines() -> list[dict[str, Any]]:
            said = await self.spoken()
            return [s for s in said if s["text"].startswith("Line") and s["start"] > since]

        found: list[dict[str, Any]] = await self.until(lambda said: len(said) >= least, lines)
        return found

    async def press(self, page: Page) -> None:
        """The toolbar button, on this tab."""
        await page.bring_to_front()
        found = await self.cdp.send("Target.getTargets", {"filter": [{"type": "tab"}]})
        [target] = [t["targetId"] for t in found["targetInfos"] if t["url"] == page.url]
        await self.cdp.send("Extensions.triggerAction", {"id": ID, "targetId": target})

    async def start(self, page: Page) -> None:
        await self.press(page)
        await self.until(lambda status: status["tab"] is not None, self.status)

    async def head(self) -> dict[str, Any]:
        """Where the viewer is, by what is heard: ``wall``, ``heard``, ``playing``, ``player``."""
        heads = (await self.heard())["heads"]
        found: dict[str, Any] = heads[-1] if heads else {"playing": None}
        return found

    async def until_playing(self, playing: bool) -> None:
        await self.until(lambda head: head["playing"] is playing, self.head)

    async def until_with_player(self, page: Page, limit: float = 30.0) -> None:
        """Until what is heard is where the page's player is."""

        async def apart() -> float:
            head = await self.head()
            at = await page.evaluate("wall => at(wall)", head["wall"])
            return abs(float(head["player"]) - float(at))

        await self.until(lambda seconds: seconds < APART, apart, limit)

    async def now(self) -> float:
        """The browser's clock: milliseconds."""
        return float(await self.desk.evaluate("Date.now()"))

    async def kill_worker(self) -> None:
        """As the browser does after some idle time."""
        found = await self.cdp.send("Target.getTargets")
        [worker] = [t for t in found["targetInfos"] if t["type"] == "service_worker"]
        await self.cdp.send("Target.closeTarget", {"targetId": worker["targetId"]})

        async def kinds() -> list[str]:
            targets = (await self.cdp.send("Target.getTargets"))["targetInfos"]
            return [target["type"] for target in targets]

        await self.until(lambda found: "service_worker" not in found, kinds)

    async def documents(self) -> int:
        """How many offscreen documents there are."""
        kinds = {"contextTypes": ["OFFSCREEN_DOCUMENT"]}
        found = await self.desk.evaluate("kinds => chrome.runtime.getContexts(kinds)", kinds)
        return len(found)

    async def stop(self, page: Page) -> None:
        await self.press(page)
        await self.until(lambda status: status["tab"] is None, self.status)


@asynccontextmanager
async def open_extension(
    profile: Path, service: str, *, delayed: bool = False, delay: float = 8
) -> AsyncIterator[Extension]:
    """A browser of its own with the extension, set to this service."""
    flags = (
        f"--disable-extensions-except={built()}",
        f"--load-extension={built()}",
        "--enable-unsafe-extension-debugging",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
    )
    async with open_browser(profile, flags=flags, fails=False) as context:
        if not context.service_workers:
            await context.wait_for_event("serviceworker")
        desk = context.pages[0]
        await desk.goto(f"chrome-extension://{ID}/options.html")
        options = {"service": service, "token": "", "delayed": delayed, "delay": delay}
        await desk.evaluate(KEEP, {**options, "language": "en"})
        assert context.browser is not None
        yield Extension(context, desk, await context.browser.new_browser_cdp_session())
