"""Recall: the share of references that some prediction overlaps enough."""

from __future__ import annotations

import numpy as np

from strad_eval.matching.iou import Overlaps


def recall(hits: Overlaps, references: int) -> float:
    """0 to 1; NaN without references. ``hits`` are the pairs that reach the threshold."""
    return len(np.unique(hits.g)) / references if references else float("nan")
