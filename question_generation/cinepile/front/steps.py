"""CinePile's front as the command line has it: which steps come before the scenes are there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from question_generation.cinepile.front.classifier import classifier
from question_generation.cinepile.front.described_films import (
    DescribedFilms,
    check_films,
    described_films,
)
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
    """What comes before the scenes of a pipeline."""

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

    def plan(self) -> Front:
        """Its steps, with no film in them yet: all that costs little is read and checked.

        Raises InputError and its kinds, MissingModelError.
        """
        facts = None if self.facts is None else read_facts(self.facts)
        if self.film is None:
            if self.classifier is not None or self.embedding != LETTERS:
                raise InputError("--classifier, --embedding: only with --film")
            return Front(facts=facts)
        check_films(self.film)
        told, near = classifier(self.classifier), embedder_of(self.embedding)
        return Front(Find(DescribedFilms(()), self.clips, told, near), facts)

    async def ready(self, plan: Front) -> Front:
        """The plan with its films, recognised where there is need: hours, for long ones.

        Raises InputError and its kinds, WorkError and its kinds.
        """
        if plan.find is None or self.film is None:
            return plan
        films = await described_films(self.film, self.transcripts, Recogniser())
        return replace(plan, find=replace(plan.find, films=films))
