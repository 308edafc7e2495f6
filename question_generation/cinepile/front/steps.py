"""CinePile's front as the command line has it: which steps come before the scenes are there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from question_generation.cinepile.front.classifier import classifier
from question_generation.cinepile.front.described_films import described_films
from question_generation.cinepile.front.embedding import LETTERS, embedder_of
from question_generation.cinepile.front.film_facts import AddFacts, KnownFilms, read_facts
from question_generation.cinepile.front.finding import Find
from question_generation.jointav.speech_lines import Recogniser
from question_generation.stage import Stage
from strad.errors import InputError

FILMS = "films"
"""The folder of a run for what was recognised in described films."""


@dataclass(frozen=True, slots=True)
class Front:
    """Ready to be part of a pipeline."""

    find: Find | None = None
    facts: KnownFilms | None = None

    def steps(self) -> tuple[Stage[Any, Any], ...]:
        """Find, then facts; those that were asked for."""
        found: list[Stage[Any, Any]] = []
        if self.find is not None:
            found.append(self.find)
        if self.facts is not None:
            found.append(AddFacts(self.facts))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Given:
    """What a person names."""

    film: Path | None
    facts: Path | None
    classifier: Path | None
    embedding: str
    clips: Path
    """The folder that videos and their subtitles lie in."""
    transcripts: Path
    """Where what is recognised in films is kept."""

    async def front(self) -> Front:
        """Files read, films recognised where there is need. Raises InputError and its kinds."""
        facts = None if self.facts is None else await asyncio.to_thread(read_facts, self.facts)
        if self.film is None:
            if self.classifier is not None or self.embedding != LETTERS:
                raise InputError("--classifier, --embedding: only with --film")
            return Front(facts=facts)
        films = await described_films(self.film, self.transcripts, Recogniser())
        told = await asyncio.to_thread(classifier, self.classifier)
        return Front(Find(films, self.clips, told, embedder_of(self.embedding)), facts)
