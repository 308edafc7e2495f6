"""A mouth: one utterance at a time, which can be hushed."""

from __future__ import annotations

import asyncio

from clients.terminal.manner import Manner
from clients.terminal.speaker import Speaker


class Mouth:
    """Over one speaker."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._free = asyncio.Lock()
        self._limit: asyncio.Timeout | None = None

    @property
    def busy(self) -> bool:
        """Whether anything is being said."""
        return self._free.locked()

    async def say(self, text: str, language: str, manner: Manner, seconds: float) -> bool:
        """Whether it was said to its end: in ``seconds``, and not hushed. Raises SpeechError."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        async with self._free:
            try:
                async with asyncio.timeout_at(until) as self._limit:
                    await self._speaker.say(text, language, manner)
            except TimeoutError:
                return False
            finally:
                self._limit = None
        return True

    def hush(self) -> None:
        """Fall silent at once, where anything is being said."""
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time())
