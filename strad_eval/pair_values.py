"""The figures that a model gives pair by pair: LLM-AD-Eval and ActionScore of a stream.

The pairs are those of CIDEr and METEOR (densevid's): at a threshold, each prediction with every
reference that it overlaps enough. One that overlaps none scores 0, and no model is asked of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from strad_eval.readings import Readings
from strad_eval.timed import NAN, Paired
from strad_eval.unit import Event


@dataclass(frozen=True, slots=True)
class CountedPair:
    """A prediction beside a reference, at the lowest threshold or above."""

    video: str
    reference: Event
    prediction: Event
    place: int
    """Of the reference, among ``CountedPairs.references``."""


@dataclass(frozen=True, slots=True)
class CountedPairs:
    """Every pair that can count, unit by unit, and all references of the set in that order."""

    pairs: Sequence[CountedPair]
    references: Sequence[Event]


@dataclass(slots=True)
class PairValues:
    """What models said of the pairs."""

    values: dict[str, list[float | None]] = field(default_factory=dict)
    """By figure, one for each pair in its order; None leaves the pair out."""
    doubts: Counter[str] = field(default_factory=Counter)
    """By the names of ``doubts``."""
    absent: list[str] = field(default_factory=list)
    """One line for each figure that was asked for and can't be had, saying why."""
    models: dict[str, str] = field(default_factory=dict)


Ask: TypeAlias = Callable[[CountedPairs], PairValues]


def counted_pairs(paired: Sequence[Paired], readings: Readings) -> CountedPairs:
    """Each pair once, whatever the number of thresholds it reaches."""
    found: list[CountedPair] = []
    references: list[Event] = []
    for one in paired:
        pairs = one.pairs.at(min(readings.tious))
        for g, p in zip(pairs.g.tolist(), pairs.p.tolist(), strict=True):
            both = one.unit.references[g], one.unit.predictions[p]
            found.append(CountedPair(one.unit.video, *both, len(references) + g))
        references += one.unit.references
    return CountedPairs(found, references)


def pair_table(
    paired: Sequence[Paired], readings: Readings, values: Sequence[float | None]
) -> NDArray[np.float64]:
    """A figure from its values: shape (units, thresholds), NaN where nothing defines it.

    A unit without predictions scores 0 where there was something to describe.
    """
    table = np.full((len(paired), len(readings.tious)), NAN)
    known = np.array([NAN if value is None else value for value in values], dtype=np.float64)
    first = 0
    for row, one in enumerate(paired):
        pairs = one.pairs.at(min(readings.tious))
        own = known[first : first + len(pairs.iou)]
        first += len(pairs.iou)
        for column, tiou in enumerate(readings.tious):
            reach = pairs.iou >= tiou
            alone = len(one.unit.predictions) - len(set(pairs.p[reach].tolist()))
            told = own[reach]
            scores = [*told[~np.isnan(told)].tolist(), *[0.0] * alone]
            if scores:
                table[row, column] = np.mean(scores)
            elif one.unit.references and not one.unit.predictions:
                table[row, column] = 0.0
    return table
