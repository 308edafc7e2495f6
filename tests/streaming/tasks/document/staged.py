"""A workshop for the document's passes in tests: a rendered film, its captions, any engine."""

from __future__ import annotations

from pathlib import Path

from strad.speech import GapSource, Word
from strad_engines.engine import ChatEngine
from streaming.captions import caption_facts
from streaming.sources import FileSource
from streaming.tasks.document.asker import Asker
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.workshop import Workshop
from streaming.voices.estimate import EstimateVoice
from tests.seeing.document_film import Story


def words_of(story: Story) -> tuple[Word, ...]:
    """What is said in the film."""
    return tuple(word for fact in caption_facts(story.film.said) for word in fact.words)


def workshop(
    film: Path,
    story: Story,
    engine: ChatEngine,
    config: DocumentConfig | None = None,
    asker: Asker | None = None,
) -> Workshop:
    """Ready for ``describe_document``; the captions say where there is speech."""
    return Workshop(
        source=FileSource(film),
        mark="this film",
        config=config or DocumentConfig(gaps=GapSource.TRANSCRIPT),
        captions=words_of(story),
        ears=lambda: None,
        ears_name="captions",
        asker=asker or Asker(engine, held=False),
        voice=EstimateVoice(),
        told=lambda _stage, _done, _total: None,
    )


def passes_in(folder: Path) -> dict[str, str]:
    """Every finished pass, by its file's name."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.jsonl"))}
