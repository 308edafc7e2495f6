"""The sounds of descriptions: made once, by so many programs at once, and the newest kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial

from service.settings import Speech
from service.spoken.program import find_program, sound_of
from strad.errors import NotFoundError, OverloadedError

Speak = Callable[[str, str], Awaitable[bytes]]
"""A text and its language to a WAV file."""


class Sounds:
    """One process's. ``speak``: None where the service offers no sound."""

    def __init__(self, speech: Speech, speak: Speak | None) -> None:
        self._speech = speech
        self._speak = speak
        self._turns = asyncio.Semaphore(speech.at_once)
        self._asked = 0
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._bytes = 0

    @classmethod
    def of(cls, speech: Speech) -> Sounds:
        """As the settings have it. Raises MissingModelError, InputError."""
        if not speech.on:
            return cls(speech, None)
        return cls(speech, partial(sound_of, find_program(speech), seconds=speech.seconds))

    async def sound(self, text: str, language: str) -> bytes:
        """Raises NotFoundError, OverloadedError where too many wait, WorkError."""
        if self._speak is None:
            raise NotFoundError("this service offers descriptions as text only")
        key = (text, language)
        if key in self._kept:
            return self._again(key)
        if self._asked >= self._speech.at_once + self._speech.waiting:
            raise OverloadedError("too many descriptions are waiting to be spoken")
        self._asked += 1
        try:
            async with self._turns:
                return self._again(key) if key in self._kept else await self._make(key, self._speak)
        finally:
            self._asked -= 1

    def _again(self, key: tuple[str, str]) -> bytes:
        self._kept.move_to_end(key)
        return self._kept[key]

    async def _make(self, key: tuple[str, str], speak: Speak) -> bytes:
        sound = await speak(*key)
        if key not in self._kept:
            self._kept[key] = sound
            self._bytes += len(sound)
        while self._bytes > self._speech.kept:
            self._bytes -= len(self._kept.popitem(last=False)[1])
        return sound
