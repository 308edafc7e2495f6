"""What is said in films without a transcript: recognised by the ears that serve, and kept.

The transcript of each film is a WebVTT file, one cue a word; another run by the same model over the
same media takes it from there, and a person may correct it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from strad.cues import Cue
from strad.errors import InputError, MediaError, cause_of
from strad.run_lock import only_run
from strad.speech import Word
from strad.text_file import read_text, write_text
from strad.webvtt import read_webvtt, write_webvtt
from strad_engines.weights import Weights
from streaming.asr import WhisperAsr
from streaming.ears import Ears
from streaming.hearing import WordsKnown
from streaming.ingest import Ingest, IngestOptions
from streaming.listen import Listener
from streaming.listening_pool import ListeningPool
from streaming.media import AudioChunk
from streaming.sources import FileSource
from streaming.vad import SileroVad
from training.material import Material
from training.preparing.ownership import make
from training.skipped import Fault, Skips

EarsFor: TypeAlias = Callable[[str], Ears]
"""Ears for one film in this language (BCP 47), which wait rather than let go of sound."""


@dataclass(frozen=True, slots=True)
class Transcriber:
    """Listens to films and keeps what it hears in a folder."""

    folder: Path
    ears: EarsFor
    asr: str
    """What recognises, by name."""
    done: Callable[[str], None] = lambda name: None
    """Told of each film that has been listened to."""

    async def transcribed(self, materials: Sequence[Material], skips: Skips) -> list[Material]:
        """All of them, those without a transcript with one; media that can't be heard stay without.

        Raises WorkError when a model fails or another run listens into the folder, InputError for
        a language that the model doesn't know and where the folder can't be made.
        """
        make(self.folder)
        kept = [one for one in skips.listed if one.fault is not Fault.NO_TRANSCRIPT]
        skips.listed[:] = kept
        with only_run(self.folder):
            return [await self._one(material, skips) for material in materials]

    async def _one(self, material: Material, skips: Skips) -> Material:
        if material.streams or material.cut:
            return material
        heard = await asyncio.to_thread(_digest, self.asr, material.media)
        path = self.folder / f"{material.slug}.{heard[:12]}.vtt"
        if not path.exists():
            try:
                words = await heard_in(material.media, self.ears(material.language))
            except MediaError as error:
                skips.add(Fault.NO_TRANSCRIPT, material.id, str(error))
                return material
            cues = [Cue(word.when, word.text, material.language) for word in words]
            write_text(path, write_webvtt(cues, language=material.language))
            self.done(material.id)
        cues = read_webvtt(read_text(path), file=str(path))
        found = tuple(Word(cue.when, cue.text) for cue in cues if cue.text)
        return replace(material, words=found, streams=True)


def _digest(asr: str, media: Path) -> str:
    """Of what recognises, and of what is heard. Raises InputError."""
    try:
        with media.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{media}: can't be read: {(error.strerror or '').lower()}") from None
    return hashlib.sha256(f"{asr}\n{content}".encode()).hexdigest()


async def heard_in(film: Path, ears: Ears) -> list[Word]:
    """All words, by time. Raises MediaError and its kinds, WorkError."""
    words: list[Word] = []
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_hear(film, ears))
            async for found in ears.findings():
                if isinstance(found, WordsKnown):
                    words += found.words
    except BaseExceptionGroup as group:
        raise cause_of(group) from None
    finally:
        await ears.aclose()
    return sorted(words, key=lambda word: word.when)


async def _hear(film: Path, ears: Ears) -> None:
    """Its sound alone: but for the first, no picture is wanted."""
    async with Ingest(FileSource(film), IngestOptions(), times=(0,)) as media:
        async for item in media:
            if isinstance(item, AudioChunk):
                await ears.hear(item)
    await ears.finish()


@asynccontextmanager
async def load_ears(asr: str, weights: Weights) -> AsyncIterator[EarsFor]:
    """Silero's VAD and Whisper, by name or folder. Raises MissingModelError."""
    vad = await asyncio.to_thread(lambda: SileroVad.load(weights.file("silero-vad")))
    folder = await asyncio.to_thread(weights.folder, asr)
    workers = max(1, (os.cpu_count() or 2) // 2)
    model = await asyncio.to_thread(lambda: WhisperAsr.load(folder, workers=workers))
    async with ListeningPool(workers) as pool:
        listener = Listener(vad, model, pool)
        yield lambda language: listener.ears(language, patient=True)
