"""The metrics that hold descriptions against references at an IoU threshold, unit by unit."""

from __future__ import annotations

import random
import string
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from strad_eval.matching.iou import Overlaps, overlaps
from strad_eval.meteor.jar import MeteorJar
from strad_eval.meteor.statistics import aggregate, score
from strad_eval.metrics.cider import Frequencies, cider_d
from strad_eval.metrics.precision import precision
from strad_eval.metrics.recall import recall
from strad_eval.metrics.rouge_l import rouge_l
from strad_eval.metrics.soda import soda
from strad_eval.readings import Readings
from strad_eval.unit import Unit, spans_of

NAN = float("nan")
UNMATCHABLE = "zqxjkvbqzwxjqk"
"""The word that an unmatched prediction is held against: one token, in no language's tables."""

Pair = tuple[str, str]
"""Reference and hypothesis, as tokens."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A unit with its overlapping pairs."""

    unit: Unit
    pairs: Overlaps
    captions: dict[float, list[Pair]]
    """At each threshold densevid_eval's pairs: a prediction with every reference it reaches, or
    with what nothing matches."""


def pair_up(units: Sequence[Unit], readings: Readings) -> list[Paired]:
    """Each unit with the pairs that can count under any threshold of the readings."""
    least = min((*readings.tious, *readings.soda_tious))
    letters = random.Random(readings.seed)
    paired = []
    for unit in units:
        pairs = overlaps(spans_of(unit.references), spans_of(unit.predictions)).at(least)
        garbage = _garbage(unit, readings, letters)
        captions = {tiou: _captions(unit, pairs.at(tiou), garbage) for tiou in readings.tious}
        paired.append(Paired(unit, pairs, captions))
    return paired


def _captions(unit: Unit, hits: Overlaps, garbage: Sequence[str]) -> list[Pair]:
    references, predictions = unit.references, unit.predictions
    found = [
        (references[g].tokens, predictions[p].tokens)
        for g, p in zip(hits.g.tolist(), hits.p.tolist(), strict=True)
    ]
    alone = sorted(set(range(len(predictions))).difference(hits.p.tolist()))
    return found + [(garbage[p], predictions[p].tokens) for p in alone]


def quality(paired: Sequence[Paired], readings: Readings) -> dict[str, NDArray[np.float64]]:
    """The metrics without METEOR: each of shape (units, thresholds), NaN where not defined."""
    tables = {name: _table(paired, readings.tious) for name in ("recall", "precision", "rouge_l")}
    tables["cider"] = _table(paired, readings.tious)
    soda_d = _table(paired, readings.soda_tious)
    for column, tiou in enumerate(readings.tious):
        shared = None
        if readings.idf == "set":
            shared = Frequencies(r for one in paired for r, _ in one.captions[tiou])
        for row, one in enumerate(paired):
            found = one.captions[tiou]
            hits = one.pairs.above(tiou) if readings.hit == "above" else one.pairs.at(tiou)
            counts = len(one.unit.references), len(one.unit.predictions)
            tables["recall"][row, column] = recall(hits, counts[0])
            tables["precision"][row, column] = precision(hits, *counts)
            tables["cider"][row, column] = _mean(cider_d(found, shared), one)
            tables["rouge_l"][row, column] = _mean([rouge_l(*pair) for pair in found], one)
    for column, tiou in enumerate(readings.soda_tious):
        for row, one in enumerate(paired):
            hits = one.pairs.at(tiou)
            soda_d[row, column] = soda(
                hits, None, len(one.unit.references), len(one.unit.predictions)
            ).f
    return {**tables, "soda_d": soda_d}


def meteor_quality(
    paired: Sequence[Paired], readings: Readings, jar: MeteorJar
) -> dict[str, NDArray[np.float64]]:
    """METEOR, and SODA with its precision and recall. Only pairs that can count are asked for."""
    jar.counts(_questions(paired, readings))
    meteor = _table(paired, readings.tious)
    for column, tiou in enumerate(readings.tious):
        for row, one in enumerate(paired):
            counts = jar.counts(one.captions[tiou])
            if not len(counts):
                meteor[row, column] = _mean([], one)
            elif readings.meteor == "aggregate":
                meteor[row, column] = aggregate(counts)
            else:
                meteor[row, column] = score(counts).mean()
    return {"meteor": meteor, **_soda(paired, readings, jar)}


def _soda(
    paired: Sequence[Paired], readings: Readings, jar: MeteorJar
) -> dict[str, NDArray[np.float64]]:
    names = ("soda_precision", "soda_recall", "soda")
    tables = {name: _table(paired, readings.soda_tious) for name in names}
    for row, one in enumerate(paired):
        worth = score(jar.counts(_soda_pairs(one, readings)))
        for column, tiou in enumerate(readings.soda_tious):
            keep = one.pairs.iou >= tiou
            found = soda(
                one.pairs.where(keep),
                worth[keep],
                len(one.unit.references),
                len(one.unit.predictions),
            )
            for name, value in zip(names, found, strict=True):
                tables[name][row, column] = value
    return tables


def _soda_pairs(one: Paired, readings: Readings) -> list[Pair]:
    references, predictions = one.unit.references, one.unit.predictions
    pairs = [
        (references[g].tokens, predictions[p].tokens)
        for g, p in zip(one.pairs.g.tolist(), one.pairs.p.tolist(), strict=True)
    ]
    # SODA's program hands METEOR the prediction as the reference; published numbers have it so.
    return [(b, a) for a, b in pairs] if readings.soda_meteor == "swapped" else pairs


def _questions(paired: Sequence[Paired], readings: Readings) -> list[Pair]:
    asked = {pair for one in paired for tiou in readings.tious for pair in one.captions[tiou]}
    asked.update(pair for one in paired for pair in _soda_pairs(one, readings))
    return sorted(asked)


def _garbage(unit: Unit, readings: Readings, letters: random.Random) -> tuple[str, ...]:
    if readings.unmatched == "zero":
        return (UNMATCHABLE,) * len(unit.predictions)
    return tuple(
        "".join(letters.choices(string.ascii_lowercase, k=letters.randint(10, 20)))
        for _ in unit.predictions
    )


def _table(paired: Sequence[Paired], tious: tuple[float, ...]) -> NDArray[np.float64]:
    return np.full((len(paired), len(tious)), NAN)


def _mean(scores: Sequence[float], one: Paired) -> float:
    """Of a unit's pairs; without predictions 0, or NaN where there was nothing to describe."""
    if scores:
        return float(np.mean(scores))
    return 0.0 if one.unit.references else NAN
