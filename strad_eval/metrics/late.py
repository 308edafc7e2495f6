"""Late: descriptions that begin well after the reference they tell of, and by how much.

Not in any paper; synchronicity is what Ofcom's code names beside accuracy. References and
predictions are matched in order, one to one, by overlap (``in_order``, any IoU above 0); what
matches nothing is not judged here.
"""

from __future__ import annotations

from typing import NamedTuple

from strad_eval.matching.in_order import best_pairs
from strad_eval.matching.iou import Overlaps
from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


class Late(NamedTuple):
    """Late ones of those matched, and the sum of (prediction's start - reference's) over them."""

    events: Share
    start_error: Share


def late(unit: Unit, pairs: Overlaps, late_s: float) -> Late:
    """``start_error`` in seconds; above 0 is late, below is early."""
    rows = best_pairs(pairs.g, pairs.p, pairs.iou, len(unit.predictions))
    errors = [
        unit.predictions[int(pairs.p[row])].start - unit.references[int(pairs.g[row])].start
        for row in rows
    ]
    return Late(
        Share(sum(1 for error in errors if error > late_s), len(errors)),
        Share(sum(errors), len(errors)),
    )
