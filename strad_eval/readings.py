"""Readings: every choice the papers leave open, by name, with the presets people know.

docs/metrics.md gives each one's default and reason; every report prints them all.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from strad.errors import InputError
from strad_eval.metrics.llm_ad_eval import ScaleReading
from strad_eval.named_choices import preset

Compat: TypeAlias = Literal["strad", "krishna", "vid2seq", "soda"]


@dataclass(frozen=True, slots=True)
class Readings:
    """One way to read the metrics. The defaults are ``--compat strad``."""

    tious: tuple[float, ...] = (0.1, 0.3, 0.5)
    """IoU thresholds that CIDEr, METEOR, ROUGE-L, recall and precision are averaged over."""
    soda_tious: tuple[float, ...] = (0.1, 0.3, 0.5)
    """IoU thresholds that SODA is averaged over; 0.0 counts every overlap."""
    soda_meteor: Literal["swapped", "straight"] = "swapped"
    """Which side METEOR takes for the hypothesis: the reference, as SODA's program does, or the
    prediction."""
    chunk_s: float = 1800.0
    """The unit of averaging, in seconds of video; 0 for the whole video."""
    hit: Literal["at-least", "above"] = "at-least"
    """Whether recall and precision count an IoU equal to the threshold."""
    idf: Literal["unit", "set"] = "unit"
    """Which pairs CIDEr's document frequencies come from: one unit's, or the whole set's."""
    meteor: Literal["aggregate", "mean"] = "aggregate"
    """METEOR of a unit: of the summed counts of its pairs, or the mean of theirs."""
    missing: Literal["zero", "drop"] = "zero"
    """A video without any prediction: scored 0, or left out."""
    unmatched: Literal["zero", "garbage"] = "zero"
    """What a prediction without a reference is paired with: a fixed word nothing can match, or
    densevid_eval's random letters (seeded)."""
    seed: int = 0
    """For all that is drawn: garbage, bootstrap samples."""
    most_predictions: int = 0
    """Predictions kept a video, in file order; 0 for all."""
    reversed_times: Literal["refuse", "swap"] = "refuse"
    """An event that ends before it starts."""
    non_ascii: Literal["keep", "space"] = "keep"
    """Characters outside ASCII: kept, or made spaces before tokenising."""
    tokens: Literal["port", "jar"] = "port"
    """Who makes the Penn Treebank tokens: our port, or CoreNLP's jar (needs Java)."""
    unknown_ids: Literal["refuse", "ignore"] = "refuse"
    """Predictions for a video that is not in the manifest."""
    overlap_guard_s: float = 0.0
    """Seconds added to both sides of speech before OL is measured."""
    rtf_over: Literal["advance", "stride"] = "advance"
    """RTF's denominator: how far the cursor moved for that window, or the fixed stride."""
    stride_s: float = 2.0
    """The stride, where RTF is over it."""
    lag_from: Literal["cursor", "emitted"] = "cursor"
    """LAG's t: the cursor, or the newest media time at the announcement."""
    efficiency_first_s: float = 120.0
    """Only windows up to this cursor count for RTF and LAG, in seconds; 0 for all."""
    words_a_minute: float = 150.0
    """How fast a description is taken to be spoken."""
    fast_words_a_minute: float = 190.0
    """Above it a description counts as too fast."""
    late_s: float = 2.0
    """A description that starts this much after its reference is late, in seconds."""
    near_repeat: float = 0.8
    """ROUGE-L from which a description repeats an earlier one."""
    near_repeat_back: int = 5
    """How many earlier descriptions that is asked of."""
    least_gap_s: float = 2.0
    """The shortest gap that counts as usable, in seconds."""
    scale: ScaleReading = "both"
    """LLM-AD-Eval's."""
    unreadable: Literal["zero", "drop"] = "zero"
    """An answer of the judge without a rating."""


STRAD = Readings()
_DENSEVID = dataclasses.replace(
    STRAD,
    tious=(0.3, 0.5, 0.7, 0.9),
    soda_tious=(0.0,),
    chunk_s=0.0,
    hit="above",
    non_ascii="space",
    unmatched="garbage",
    most_predictions=1000,
    tokens="jar",
)
PRESETS: dict[str, Readings] = {
    "strad": STRAD,
    "krishna": _DENSEVID,
    "vid2seq": dataclasses.replace(_DENSEVID, reversed_times="swap"),
    "soda": dataclasses.replace(
        STRAD, soda_tious=(0.0,), chunk_s=0.0, missing="drop", non_ascii="space", tokens="jar"
    ),
}

_LIMITS = {
    "tious": (0.0, 1.0),
    "soda_tious": (0.0, 1.0),
    "stride_s": (0.001, 3600.0),
    "words_a_minute": (1.0, 10_000.0),
    "fast_words_a_minute": (1.0, 10_000.0),
    "near_repeat": (0.0, 1.0),
}


def readings(compat: str = "strad", changes: tuple[str, ...] = ()) -> Readings:
    """The preset with ``name=value`` changes. Raises InputError for what it doesn't know."""
    chosen = preset(PRESETS, compat, changes)
    for name, (low, high) in _LIMITS.items():
        value = getattr(chosen, name)
        for one in value if isinstance(value, tuple) else (value,):
            if not low <= one <= high:
                raise InputError(f"--reading {name}: {one:g} is out of range: {low:g} to {high:g}")
    for name in ("tious", "soda_tious"):
        if len(set(getattr(chosen, name))) < len(getattr(chosen, name)):
            raise InputError(f"--reading {name}: a threshold is named twice")
    return chosen


def as_dict(chosen: Readings) -> dict[str, object]:
    """Names and values, as every report prints them and ``from_dict`` reads them back."""
    plain: dict[str, object] = json.loads(json.dumps(dataclasses.asdict(chosen)))
    return plain


def from_dict(values: dict[str, object]) -> Readings:
    """The readings a report was made with. Raises InputError for a name or value unknown here."""
    changes = []
    for name, value in values.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        changes.append(f"{name}={text}")
    return readings("strad", tuple(changes))
