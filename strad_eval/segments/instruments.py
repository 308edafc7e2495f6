"""What the costlier metrics need, as narrow interfaces: models come from outside or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from strad_eval.meteor.jar import MeteorJar
from strad_eval.metrics.action_score import Embedder, VerbParser
from strad_eval.metrics.critic import Coreference
from strad_eval.metrics.llm_ad_eval import Scale
from strad_eval.metrics.recall_within import Matrix


class Likeness(Protocol):
    """How alike sentences are."""

    def matrix(self, descriptions: Sequence[str], references: Sequence[str]) -> Matrix:
        """Shape (descriptions, references); more is more alike."""
        ...


@dataclass(frozen=True, slots=True)
class Casts:
    """Who coreference is resolved with, and the names to look for."""

    coreference: Coreference
    names: Mapping[str, Sequence[str]]
    """By IMDb id."""


@dataclass(frozen=True, slots=True)
class Actions:
    """What happens in each reference, and who compares it."""

    of_row: Sequence[Sequence[str]]
    """In the order of the rows; empty where it is not known."""
    embedder: Embedder
    parser: VerbParser


@dataclass(frozen=True, slots=True)
class Judged:
    """One judge's answers on one scale: a line a row, None where there was nothing to judge."""

    judge: str
    scale: Scale
    answers: Sequence[str | None]


@dataclass(slots=True)
class Instruments:
    """All that was to be had."""

    meteor: MeteorJar | None = None
    likeness: Likeness | None = None
    casts: Casts | None = None
    actions: Actions | None = None
    judged: list[Judged] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    """One line for each metric that was asked for and can't be had, saying why."""
    models: dict[str, str] = field(default_factory=dict)
    """Name and hash of every model that took part."""
