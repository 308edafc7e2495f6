"""A service without media libraries: bytes that spell out a programme, and ears that read it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from service.equipment import Equipment
from strad.decision import Decision
from strad.errors import DecoderError, MediaError
from strad.speech import Protect, Word
from strad.timeline import Ms
from strad.wire.publishing import Container
from streaming.config import StreamConfig
from streaming.describers.describer import Describer
from streaming.hearing import Heard, SoundsKnown, SpeechKnown, WordsKnown
from streaming.media import SAMPLES_PER_MS, AudioChunk, Media, MediaNotice
from streaming.voices.estimate import EstimateVoice
from streaming.window import Window
from tests.fakes import EveryWindowDescriber, frame

SECOND = 1_000
QUIET = bytes(2 * SECOND * SAMPLES_PER_MS)
TALK = b"\x01\x00" * (SECOND * SAMPLES_PER_MS)
BANG = b"\x02\x00" * (SECOND * SAMPLES_PER_MS)


@asynccontextmanager
async def spelled_media(
    container: Container, chunks: AsyncIterator[bytes], begins: Ms = 0
) -> AsyncIterator[AsyncIterator[Media]]:
    """One second of media a letter: ``q`` quiet, ``t`` talk, ``b`` a bang.

    ``n``: a notice; ``x``: bad media; ``c``: a crash; ``h``: a decoder that hangs.
    """
    del container
    yield _spell(chunks, begins)


async def _spell(chunks: AsyncIterator[bytes], begins: Ms) -> AsyncIterator[Media]:
    at = begins
    async for chunk in chunks:
        for letter in chunk.decode():
            if letter == "x":
                raise MediaError("no media in this")
            if letter == "c":
                raise DecoderError("the decoder crashed")
            if letter == "h":
                await asyncio.sleep(3_600)
            if letter == "n":
                yield MediaNotice("size-change", at, "the picture's size changed")
                continue
            yield frame(at)
            yield AudioChunk(at, {"t": TALK, "b": BANG}.get(letter, QUIET))
            at += SECOND
    yield frame(at)


class ReadingEars:
    """Hears at once whether a chunk is talk, or a bang where those are to be left alone."""

    def __init__(self, *, recognise: bool, protect: Protect = Protect.SPEECH) -> None:
        self.recognise = recognise
        self.protect = protect
        self.closed = False
        self._found: asyncio.Queue[Heard | None] = asyncio.Queue(100)

    async def hear(self, chunk: AudioChunk) -> None:
        talk = (chunk.when,) if chunk.pcm.startswith(b"\x01") else ()
        if self.protect is Protect.SOUNDS:
            bang = (chunk.when,) if chunk.pcm.startswith(b"\x02") else ()
            await self._found.put(SoundsKnown(chunk.when.end, bang))
        await self._found.put(SpeechKnown(chunk.when.end, talk))
        if self.recognise:
            words = tuple(Word(when, "word") for when in talk)
            await self._found.put(WordsKnown(chunk.when.end, words))

    async def finish(self) -> None:
        await self._found.put(None)

    async def findings(self) -> AsyncIterator[Heard]:
        while (found := await self._found.get()) is not None:
            yield found

    async def aclose(self) -> None:
        self.closed = True


class HangingDescriber(EveryWindowDescriber):
    """Never answers."""

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        await asyncio.sleep(3_600)
        raise AssertionError("nobody waits that long")


class BuggyDescriber(EveryWindowDescriber):
    """Raises what no describer may raise."""

    async def decide(self, window: Window) -> Decision:
        raise RuntimeError("a bug")


class Workshop:
    """Makes equipment, and remembers what was made with it: all, or the newest ``most``."""

    def __init__(
        self, describer: Callable[[], Any] = EveryWindowDescriber, most: int | None = None
    ) -> None:
        self.describers: deque[Any] = deque(maxlen=most)
        self.ears: deque[ReadingEars] = deque(maxlen=most)
        self._describer = describer

    def equipment(self, media: Any = spelled_media) -> Equipment:
        return Equipment(
            media=media,
            ears=self._make_ears,
            describers={"every-window": self._make_describer},
            voice=EstimateVoice(),
        )

    def _make_ears(
        self,
        *,
        language: str,
        recognise: bool,
        patient: bool = False,
        protect: Protect = Protect.SPEECH,
    ) -> ReadingEars:
        del language, patient
        self.ears.append(ReadingEars(recognise=recognise, protect=protect))
        return self.ears[-1]

    def _make_describer(self, config: StreamConfig) -> Describer:
        del config
        made: Describer = self._describer()
        self.describers.append(made)
        return made
