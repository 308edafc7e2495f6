"""A speaker: a program of this machine that says a text aloud."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Protocol

from clients.terminal.espeak import Espeak
from clients.terminal.manner import Manner
from clients.terminal.speech_dispatcher import open_dispatcher, socket_address
from strad.errors import InputError

ESPEAK = "espeak-ng"


class SpeakerKind(StrEnum):
    """Which program speaks."""

    AUTO = "auto"
    """Speech Dispatcher where it runs, else eSpeak NG."""
    SPEECH_DISPATCHER = "speech-dispatcher"
    """The one that screen readers speak through."""
    ESPEAK = "espeak-ng"


class Speaker(Protocol):
    """Says one text at a time."""

    async def say(self, text: str, language: str, manner: Manner) -> None:
        """Return when it is said. Cancelled, it falls silent at once. Raises SpeechError."""
        ...


@asynccontextmanager
async def open_speaker(kind: SpeakerKind = SpeakerKind.AUTO) -> AsyncIterator[Speaker]:
    """Raises InputError where the program is not to be had, SpeechError where it doesn't answer."""
    address = socket_address()
    if kind is SpeakerKind.SPEECH_DISPATCHER or (kind is SpeakerKind.AUTO and address.there):
        async with open_dispatcher(address) as dispatcher:
            yield dispatcher
        return
    program = shutil.which(ESPEAK)
    if program is None:
        raise InputError(
            "no program to speak with: install espeak-ng, or start speech-dispatcher"
            if kind is SpeakerKind.AUTO
            else "espeak-ng is not installed"
        )
    yield Espeak((program,))
