"""What is known of films from elsewhere, a film a line; and the step that adds it to scenes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from question_generation.drop import Drop
from question_generation.scene import FilmFacts, Scene
from question_generation.stage import Desk
from strad.errors import FormatError, InputError
from strad.line_file import LineFile
from strad.record import Id, Record
from strad.text_file import read_text


class FactsHeader(Record):
    """The optional first line of a file of films' facts."""

    strad: Literal["film facts"]
    version: Literal[1]


class KnownFilm(FilmFacts):
    """One film. All but the id may be missing."""

    film_id: Id
    """As in scenes and videos."""


FACTS = LineFile(FactsHeader, KnownFilm)


@dataclass(frozen=True, slots=True)
class KnownFilms:
    """All films of a file, by id."""

    films: Mapping[str, FilmFacts]
    sha256: str
    """Of the file."""


def read_facts(path: Path) -> KnownFilms:
    """Raises FormatError with file and line, InputError for a film told twice, or for none."""
    text = read_text(path)
    found: dict[str, FilmFacts] = {}
    for known in FACTS.each(text.split("\n"), file=str(path)):
        _check(known, path)
        if known.film_id in found:
            raise InputError(f"{path}: the film {known.film_id!r} is in it twice")
        told = known.model_dump(include=set(FilmFacts.model_fields), exclude_unset=True)
        found[known.film_id] = FilmFacts.model_validate(told)
    if not found:
        raise InputError(f"{path}: no films in it")
    return KnownFilms(found, hashlib.sha256(text.encode()).hexdigest())


def _check(known: KnownFilm, path: Path) -> None:
    unknown = sorted(known.model_extra or ())
    if unknown:
        facts = ", ".join(KnownFilm.model_fields)
        raise FormatError(
            f"{known.film_id}: no fact {unknown[0]!r}; there are: {facts}", file=str(path)
        )
    if known.year is not None and not 1870 <= known.year <= 2200:
        raise FormatError(f"{known.film_id}: {known.year} is no year of a film", file=str(path))


@dataclass(frozen=True, slots=True)
class AddFacts:
    """A scene to the scene with what is known of its film; what the scene says itself is kept."""

    known: KnownFilms
    name: str = "facts"
    version: str = "1"
    roles: tuple[str, ...] = ()
    reads: type[Scene] = Scene
    writes: type[Scene] = Scene

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"facts": self.known.sha256}

    async def work(self, record: Scene, desk: Desk) -> Sequence[Scene] | Drop:
        """Every scene goes on."""
        known = self.known.films.get(record.film)
        if known is None:
            return [record]
        own = record.facts.model_dump(exclude_unset=True) if record.facts else {}
        told = known.model_dump(exclude_unset=True)
        both = FilmFacts.model_validate({**told, **{k: v for k, v in own.items() if v}})
        return [record.model_copy(update={"facts": both})]
