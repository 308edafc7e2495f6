"""A real browser for tests: Chromium, driven by Playwright, with a profile of its own each time.

``async with open_page() as page`` inside the test's own loop, beside the service it looks at. What
a page logs as an error, or throws, fails the test when the page closes.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, ConsoleMessage, Page

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")

HEADLESS = "--headless=new"

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)
"""Nothing leaves this machine, and nothing is asked."""

LIMIT = 20_000
"""Milliseconds that anything asked of a page may take."""

NPM = Path(__file__).parent / "node_modules"
"""What package-lock.json pins, brought by ``npm ci --prefix tests/browser``."""

needs_chromium = pytest.mark.skipif(
    PROGRAM is None or find_spec("playwright") is None,
    reason="needs Chromium (Debian: apt-get install chromium) and the [dev] extra's playwright",
)


def npm_file(path: str) -> bytes:
    """A file of a pinned npm package. Skips the test where the packages aren't installed."""
    file = NPM / path
    if not file.exists():
        pytest.skip(f"needs {path.split('/')[0]}: run npm ci --prefix tests/browser")
    return file.read_bytes()


@asynccontextmanager
async def open_browser(
    profile: Path,
    *,
    flags: Sequence[str] = (),
    fails: bool = True,
    screen: Mapping[str, str | float | bool] | None = None,
) -> AsyncIterator[BrowserContext]:
    """A browser with a fresh profile in ``profile``, an empty folder; more ``flags`` if need be.

    ``fails``: at the end, fail for errors that its pages logged or threw. ``screen``: the
    environment of a display that it is shown on; else it is headless.
    """
    from playwright.async_api import async_playwright

    assert PROGRAM is not None, "mark the test with needs_chromium"
    errors: list[str] = []
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            profile,
            executable_path=PROGRAM,
            headless=False,  # the flags say so, in the way that also runs extensions
            args=[*([HEADLESS] if screen is None else []), *FLAGS, *flags],
            env=dict(screen) if screen is not None else None,
            ignore_default_args=["--disable-extensions"],
            timeout=LIMIT,
        )
        context.set_default_timeout(LIMIT)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.on("console", lambda message: _keep_error(message, errors))
        try:
            yield context
        finally:
            await context.close()
    assert not (fails and errors), errors


@asynccontextmanager
async def open_page(
    profile: Path,
    *,
    flags: Sequence[str] = (),
    fails: bool = True,
    screen: Mapping[str, str | float | bool] | None = None,
) -> AsyncIterator[Page]:
    """One page of its own browser, as ``open_browser``."""
    async with open_browser(profile, flags=flags, fails=fails, screen=screen) as browser:
        yield browser.pages[0] if browser.pages else await browser.new_page()


def _keep_error(message: ConsoleMessage, errors: list[str]) -> None:
    if message.type == "error":
        errors.append(f"{message.text} ({message.location.get('url', '')})")
