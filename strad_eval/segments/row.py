"""One row of a segment score: a reference and what was predicted for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from strad_eval.unit import Event


@dataclass(frozen=True, slots=True)
class Row:
    """A description with given times."""

    film: str
    """Its IMDb id, or the video's own where none is known."""
    clip: str
    """The video."""
    reference: Event
    description: str
    tokens: str = ""
    """Of the description."""

    @property
    def youtube(self) -> str:
        """The clip without the folder that CMD-AD keeps it in ("2011/_SQr8I3lcW8")."""
        return self.clip.rpartition("/")[2]

    @property
    def empty(self) -> bool:
        return not self.description.strip()


@dataclass(slots=True)
class Rows:
    """All rows in the file's order, and what was odd about the input, counted."""

    name: str
    rows: list[Row]
    odd: Counter[str] = field(default_factory=Counter)
    predicted: int = 0
    """Predictions given."""
    paired: int = 0
    """Of them, those that belong to a reference."""

    def in_film_order(self) -> list[Row]:
        """By film, YouTube id and start (StrAD D.3): one sequence over everything."""
        return sorted(self.rows, key=lambda row: (row.film, row.youtube, row.reference.start))

    def by_film(self) -> dict[str, list[Row]]:
        """Each film's rows, in that order."""
        films: dict[str, list[Row]] = {}
        for row in self.in_film_order():
            films.setdefault(row.film, []).append(row)
        return films
