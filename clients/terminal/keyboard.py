"""The keyboard: single keys of a terminal, without Enter; lines of it where it is no terminal."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import tty
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TextIO

MOST = 20
"""Keys that wait; more than that are passed over."""


class Keyboard:
    """Made by ``open_keyboard``."""

    def __init__(self) -> None:
        self._keys: asyncio.Queue[str] = asyncio.Queue(MOST)

    def press(self, keys: str) -> None:
        """As if they had been pressed."""
        for key in keys:
            if not self._keys.full():
                self._keys.put_nowait(key)

    async def key(self) -> str:
        """The next key."""
        return await self._keys.get()


@asynccontextmanager
async def open_keyboard(source: TextIO | None = None) -> AsyncIterator[Keyboard]:
    """Keys from ``source``, the terminal by default; from none where that can't be read."""
    keyboard = Keyboard()
    try:
        number = (source or sys.stdin).fileno()
        before = termios.tcgetattr(number)
    except (OSError, ValueError, AttributeError, termios.error):
        yield keyboard  # no terminal: nobody is there to press a key
        return
    loop = asyncio.get_running_loop()

    def read() -> None:
        pressed = os.read(number, 64)
        if pressed:
            keyboard.press(pressed.decode(errors="ignore"))
        else:
            loop.remove_reader(number)

    tty.setcbreak(number)
    loop.add_reader(number, read)
    try:
        yield keyboard
    finally:
        loop.remove_reader(number)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
