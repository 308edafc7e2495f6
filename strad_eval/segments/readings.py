"""Every choice that the papers leave open for segment scores, by name (docs/metrics-segment.md)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from strad.errors import InputError
from strad_eval.metrics.llm_ad_eval import ScaleReading
from strad_eval.metrics.recall_within import Ties
from strad_eval.named_choices import preset


@dataclass(frozen=True, slots=True)
class SegmentReadings:
    """One way to read the metrics. The defaults are ``--compat strad``."""

    pair: Literal["times", "order"] = "times"
    """Which prediction belongs to a reference: the one of the same times, or of the same place in
    the video's order."""
    unknown: Literal["refuse", "ignore"] = "refuse"
    """A prediction that belongs to no reference."""
    missing: Literal["zero", "drop"] = "zero"
    """A reference without a prediction, or with an empty one."""
    tokens: Literal["port", "jar"] = "port"
    """Who makes the Penn Treebank tokens: our port, or CoreNLP's jar (needs Java)."""
    meteor: Literal["aggregate", "mean"] = "aggregate"
    """METEOR of the summed counts of all rows, or the mean of theirs."""
    recall_k: tuple[int, ...] = (1,)
    recall_n: int = 5
    recall_order: Literal["film", "file"] = "film"
    """Rows by film, clip and start, or as the file has them."""
    recall_short_clips: Literal["skip", "keep"] = "skip"
    """Clips with fewer than N references."""
    recall_ties: Ties = "index"
    """Whether a reference as like as the right one comes before it: if it stands earlier, never
    (hit), always (miss)."""
    scale: ScaleReading = "both"
    """LLM-AD-Eval's."""
    unreadable: Literal["zero", "drop"] = "zero"
    """An answer of the judge without a rating."""
    least_iou: float = 0.0
    """For ``document``: pairs must overlap by more than this."""


STRAD = SegmentReadings()
PRESETS: dict[str, SegmentReadings] = {
    "strad": STRAD,
    "autoad": dataclasses.replace(
        STRAD,
        tokens="jar",
        recall_k=(1, 5),
        recall_n=16,
        recall_order="file",
        recall_short_clips="keep",
        scale="0-5",
    ),
    "madeval": dataclasses.replace(STRAD, recall_k=(5,), recall_n=16),
}


def segment_readings(compat: str = "strad", changes: tuple[str, ...] = ()) -> SegmentReadings:
    """The preset with ``name=value`` changes. Raises InputError for what it doesn't know."""
    chosen = preset(PRESETS, compat, changes)
    if not all(1 <= k <= chosen.recall_n for k in chosen.recall_k):
        raise InputError("recall_k must lie between 1 and recall_n")
    if chosen.least_iou >= 1:
        raise InputError("least_iou must lie below 1")
    return chosen
