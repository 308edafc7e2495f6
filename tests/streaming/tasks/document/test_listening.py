"""What is heard becomes lines: phrases, gaps, protected sounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from strad.errors import WorkError
from strad.passes import Heard
from strad.speech import GapSource, Word
from strad.timeline import Interval
from strad_engines.scripted_engine import ScriptedEngine
from streaming.hearing import Heard as Finding
from streaming.hearing import SoundsKnown, SpeechKnown, WordsKnown
from streaming.media import AudioChunk
from streaming.protected import Protect
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.listening import listen, needs_ears
from streaming.tasks.document.slots import slots
from tests.seeing.document_film import story
from tests.streaming.clips import clip, webm
from tests.streaming.tasks.document.staged import workshop

pytestmark = pytest.mark.media

STORY = story(12_000, scene=12_000, people=1)


class ToldEars:
    """Finds what it was told to, once all sound has come."""

    def __init__(self, *findings: Finding | WorkError) -> None:
        self.closed = False
        self._findings = findings
        self._finished = asyncio.Event()

    async def hear(self, chunk: AudioChunk) -> None:
        pass

    async def finish(self) -> None:
        self._finished.set()

    async def findings(self) -> AsyncIterator[Finding]:
        async with asyncio.timeout(60):
            await self._finished.wait()
        for finding in self._findings:
            if isinstance(finding, WorkError):
                raise finding
            yield finding

    async def aclose(self) -> None:
        self.closed = True


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.webm"
    path.write_bytes(clip(webm(seconds=6.0, fps=5)))
    return path


def heard(
    film: Path, ears: ToldEars, config: DocumentConfig, captions: Sequence[Word] | None = None
) -> list[Heard]:
    shop = workshop(film, STORY, ScriptedEngine([]), config)
    lines, end = asyncio.run(listen(replace(shop, captions=captions, ears=lambda: ears)))
    assert end == pytest.approx(6_000, abs=100)
    assert ears.closed
    return lines


SPEECH = SpeechKnown(6_000, (Interval(1_000, 2_000),))
WORDS = (Word(Interval(1_100, 1_400), "Hello,"), Word(Interval(1_450, 1_900), "Anna."))


def told(lines: Sequence[Heard]) -> list[tuple[str, str, int, int, str]]:
    return [(line.id, line.kind, line.when.start, line.when.end, line.text) for line in lines]


def test_what_ears_find(film: Path) -> None:
    song = SoundsKnown(6_000, (Interval(3_000, 4_000), Interval(3_900, 4_200)))
    ears = ToldEars(SPEECH, WordsKnown(6_000, WORDS), song)
    lines = heard(film, ears, DocumentConfig(protect=Protect.SONGS))
    *rest, last = told(lines)
    assert rest[:2] == [("s1", "speech", 1_100, 1_900, "Hello, Anna."), ("g1", "gap", 0, 1_000, "")]
    assert rest[2][:3] == ("g2", "gap", 2_000)
    assert last == ("x1", "protected", 3_000, 4_200, "")
    free = [slot.when for slot in slots(lines, lines[2].when.end, DocumentConfig())]
    assert not any(span.overlaps(Interval(3_000, 4_200)) for span in free)


def test_captions_and_voices_together(film: Path) -> None:
    captions = [Word(Interval(4_000, 5_000), "Bye.")]
    lines = heard(film, ToldEars(SPEECH, WordsKnown(6_000)), DocumentConfig(), captions)
    assert [line[1:4] for line in told(lines)][:3] == [
        ("speech", 4_000, 5_000),
        ("gap", 0, 1_000),
        ("gap", 2_000, 4_000),
    ]


def test_ears_that_fail_end_it_with_their_error(film: Path) -> None:
    ears = ToldEars(WorkError("no ears"))
    with pytest.raises(WorkError, match="no ears"):
        heard(film, ears, DocumentConfig())
    assert ears.closed


def test_nobody_listens_where_captions_say_all() -> None:
    config = DocumentConfig(gaps=GapSource.TRANSCRIPT)
    assert not needs_ears(config, captioned=True)
    assert needs_ears(config, captioned=False)
    assert needs_ears(replace(config, protect=Protect.SONGS), captioned=True)
    assert needs_ears(DocumentConfig(), captioned=True)
