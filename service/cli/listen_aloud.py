"""``strad listen --speak``: what is said on a stream, spoken by a program of this machine."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import typer

from clients.python.address import StreamAddress
from clients.python.viewer import Told, Viewer
from clients.terminal.keyboard import Keyboard, open_keyboard
from clients.terminal.keys import Keys
from clients.terminal.manner import FASTEST, SLOWEST, Manner
from clients.terminal.mouth import Mouth
from clients.terminal.narrator import Narrator
from clients.terminal.speaker import Speaker, SpeakerKind, open_speaker
from service.cli.listen_lines import note, tell
from service.cli.terminal import printable
from strad.errors import InputError, cause_of
from strad.wire.asking import Extra, Wishes
from strad.wire.viewing import Gap, Words

START = "Descriptions are made by a program, and may be wrong. h: keys, q: quit."


@dataclass(frozen=True, slots=True)
class Aloud:
    """How it is to be spoken, as the options say."""

    speaker: SpeakerKind = SpeakerKind.AUTO
    rate: int = 180
    volume: int = 100
    voice: str = ""
    delay: float | None = None

    def manner(self) -> Manner:
        """Raises InputError."""
        if not SLOWEST <= self.rate <= FASTEST:
            raise InputError(f"--rate is from {SLOWEST} to {FASTEST} words a minute")
        if not 0 <= self.volume <= 100:
            raise InputError("--volume is from 0 to 100")
        if self.voice.startswith("-") or not self.voice.isprintable():
            raise InputError("--voice is a name, such as en-gb")
        return Manner(self.rate, self.volume, self.voice)


async def listen_aloud(address: StreamAddress, wishes: Wishes, aloud: Aloud) -> None:
    """Until all is said. Raises InputError, SpeechError, or what ended the stream."""
    manner = aloud.manner()
    async with open_speaker(aloud.speaker) as speaker, open_keyboard() as keyboard:
        note(START)
        await narrate(address, wishes, aloud, manner, speaker, keyboard)


async def narrate(
    address: StreamAddress,
    wishes: Wishes,
    aloud: Aloud,
    manner: Manner,
    speaker: Speaker,
    keyboard: Keyboard,
) -> None:
    """Speak through ``speaker``, and obey ``keyboard``."""
    extras = tuple(dict.fromkeys((*wishes.extras, Extra.GAPS, Extra.TRANSCRIPT)))
    viewer = Viewer(address, wishes=wishes.model_copy(update={"extras": extras}))

    def other(message: Told) -> None:
        """What is told beside descriptions, as far as it was asked for."""
        if not isinstance(message, Words | Gap) or extra_of(message) in wishes.extras:
            tell(message)

    narrator = Narrator(viewer, Mouth(speaker), manner, said, other, aloud.delay)
    try:
        async with asyncio.TaskGroup() as tasks:
            obeying = tasks.create_task(Keys(narrator).obey(keyboard))
            await narrator.run()
            obeying.cancel()
    except BaseExceptionGroup as group:
        raise cause_of(group) from None


def said(line: str) -> None:
    """One line, once, never drawn anew: a screen reader can follow it."""
    typer.echo(printable(line))


def extra_of(message: Words | Gap) -> Extra:
    """What asks for it."""
    return Extra.GAPS if isinstance(message, Gap) else Extra.TRANSCRIPT
