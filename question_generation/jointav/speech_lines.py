"""What is said in a video: from its subtitles, or recognised by Whisper."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from strad.cues import Cue
from strad.errors import InputError, cause_of
from strad.record import TimedText
from strad.speech import Word
from strad.srt import read_srt
from strad.text_file import read_text
from strad.timeline import to_seconds
from strad.webvtt import read_webvtt
from strad_engines.weights import Weights
from streaming.asr import WhisperAsr
from streaming.hearing import WordsKnown
from streaming.ingest import IngestOptions, open_media
from streaming.listen import Listener, StreamEars
from streaming.listening_pool import ListeningPool
from streaming.media import AudioChunk
from streaming.prompt.elements import phrases
from streaming.sources import FileSource
from streaming.vad import SileroVad

ASR = "base"


def from_subtitles(path: Path) -> tuple[TimedText, ...]:
    """The cues of a WebVTT or SRT file. Raises FormatError, InputError."""
    readers = {".vtt": read_webvtt, ".srt": read_srt}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"{path}: subtitles are .vtt or .srt")
    return tuple(_of_cue(cue) for cue in reader(read_text(path), file=str(path)))


@dataclass(frozen=True, slots=True)
class Recogniser:
    """Silero's VAD and Whisper; loaded for each video, which takes a second or two."""

    asr: str = ASR
    language: str | None = "en"
    weights: Weights = Weights()  # noqa: RUF009 frozen

    async def lines(self, film: Path) -> tuple[TimedText, ...]:
        """All phrases, by time. Raises MediaError and its kinds, MissingModelError, WorkError."""
        words: list[Word] = []
        async with self._listener() as listener:
            ears = listener.ears(self.language, patient=True)
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
        words.sort(key=lambda word: word.when)
        return tuple(
            TimedText(
                start=to_seconds(each.when.start), end=to_seconds(each.when.end), text=each.text
            )
            for each in phrases(words)
        )

    @asynccontextmanager
    async def _listener(self) -> AsyncIterator[Listener]:
        vad = await asyncio.to_thread(lambda: SileroVad.load(self.weights.file("silero-vad")))
        folder = await asyncio.to_thread(self.weights.folder, self.asr)
        model = await asyncio.to_thread(WhisperAsr.load, folder)
        async with ListeningPool(max(1, (os.cpu_count() or 2) // 2)) as pool:
            yield Listener(vad, model, pool)


async def _hear(film: Path, ears: StreamEars) -> None:
    async with open_media(FileSource(film), IngestOptions(sound_alone=True)) as media:
        async for item in media:
            if isinstance(item, AudioChunk):
                await ears.hear(item)
    await ears.finish()


def _of_cue(cue: Cue) -> TimedText:
    start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
    return TimedText(start=start, end=end, text=cue.text)
