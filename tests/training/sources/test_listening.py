"""Films without a transcript are listened to once; what was heard is kept and may be corrected."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest

from strad.errors import WorkError
from strad.run_lock import only_run
from strad.speech import Word
from strad.timeline import Interval
from streaming.hearing import Heard, WordsKnown
from streaming.media import AudioChunk
from tests.training import filmed
from training.material import Material
from training.skipped import Skips
from training.sources.listening import Transcriber
from training.sources.manifests import manifest_materials

pytestmark = pytest.mark.media


class TellingTones:
    """Hears a word in every tenth of a second that isn't silent."""

    def __init__(self) -> None:
        self._found: asyncio.Queue[Heard | None] = asyncio.Queue(1_000)

    async def hear(self, chunk: AudioChunk) -> None:
        loud = np.abs(np.frombuffer(chunk.pcm, "<i2").astype(int)).max() > 2_000
        words = (Word(chunk.when, "beep"),) if loud else ()
        await self._found.put(WordsKnown(chunk.when.end, words))

    async def finish(self) -> None:
        await self._found.put(None)

    async def findings(self) -> AsyncIterator[Heard]:
        while (found := await self._found.get()) is not None:
            yield found

    async def aclose(self) -> None:
        pass


def test_what_was_heard_is_kept_and_taken_again(tmp_path: Path) -> None:
    filmed.film(tmp_path / "film.mp4")
    (tmp_path / "none.mp4").write_bytes(b"no film" * 99)
    told, broken = filmed.entry("film"), filmed.entry("none")
    del told["transcript"], broken["transcript"]
    skips, asked = Skips(), list[str]()
    materials = manifest_materials(filmed.manifest(tmp_path, told, broken), None, skips)
    assert skips.counts() == {"no-transcript": 2}

    def ears(language: str) -> TellingTones:
        asked.append(language)
        return TellingTones()

    def transcribed(asr: str = "base") -> list[Material]:
        work = Transcriber(tmp_path / "heard", ears, asr)
        return asyncio.run(work.transcribed(materials, skips))

    film, none = transcribed()
    assert (film.streams, none.streams) == (True, False)
    assert skips.counts() == {"no-transcript": 1}
    heard = Interval(film.words[0].when.start, film.words[-1].when.end)
    assert abs(heard.start - 3_000) <= 200
    assert abs(heard.end - 5_000) <= 200
    assert asked == ["en", "en"]
    assert transcribed()[0] == film
    assert asked == ["en", "en", "en"]  # only the one that can't be heard
    (kept,) = (tmp_path / "heard").iterdir()
    kept.write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nCorrected\n")
    assert transcribed()[0].words == (Word(Interval(1_000, 2_000), "Corrected"),)
    assert transcribed("small")[0].words == film.words
    filmed.film(tmp_path / "film.mp4", 4)
    assert transcribed()[0].words[-1].when.end < 4_500
    with only_run(tmp_path / "heard"), pytest.raises(WorkError, match="another run"):
        transcribed()
