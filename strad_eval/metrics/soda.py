"""SODA: how well the descriptions tell the story, each matched with one reference, in order.

Source: Fujita et al. 2020, built from the definition (the published program may not be copied):
with W the best in-order sum of IoU x METEOR (``soda_c``) or of IoU alone (``soda_d``),
P = W / predictions, R = W / references, F = 2PR / (P + R).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strad_eval.matching.in_order import best_total
from strad_eval.matching.iou import Overlaps


class Soda(NamedTuple):
    """Precision, recall and their F-measure, 0 to 1."""

    precision: float
    recall: float
    f: float


def soda(
    pairs: Overlaps, worth: NDArray[np.float64] | None, references: int, predictions: int
) -> Soda:
    """SODA of one unit, events in time order. ``worth`` is METEOR of each pair; None for SODA_d.

    All 0 where either side is empty; NaN where both are.
    """
    if not references and not predictions:
        return Soda(float("nan"), float("nan"), float("nan"))
    if not references or not predictions:
        return Soda(0.0, 0.0, 0.0)
    weight = pairs.iou if worth is None else pairs.iou * worth
    best = best_total(pairs.g, pairs.p, weight, predictions)
    precision, recall = best / predictions, best / references
    both = precision + recall
    return Soda(precision, recall, 2 * precision * recall / both if both else 0.0)
