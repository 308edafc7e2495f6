"""What the passes work with: the media, the ears, the engine, the voice; and who is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from strad.passes import PassName
from strad.speech import Word
from strad.timeline import Ms
from streaming.ears import Ears
from streaming.ingest import IngestOptions
from streaming.sources import Source
from streaming.tasks.document.asker import Asker
from streaming.tasks.document.config import DocumentConfig
from streaming.voices.voice import Voice

ToldProgress: TypeAlias = Callable[[PassName, Ms, Ms | None], None]
"""Which pass is how far, and how far it goes where that is known: both media time."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything opened and loaded."""

    source: Source
    mark: str
    """Tells this media, and its captions, from others."""
    config: DocumentConfig
    captions: Sequence[Word] | None
    """The words, where a captions file takes the place of speech recognition."""
    ears: Callable[[], Ears | None]
    """None: the captions alone say where there is speech."""
    ears_name: str
    asker: Asker
    voice: Voice
    told: ToldProgress
    ingest: IngestOptions | None = None
