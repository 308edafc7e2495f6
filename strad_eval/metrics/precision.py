"""Precision: the share of predictions that overlap some reference enough."""

from __future__ import annotations

import numpy as np

from strad_eval.matching.iou import Overlaps


def precision(hits: Overlaps, references: int, predictions: int) -> float:
    """0 to 1. Without predictions 0, or NaN where there was nothing to predict either."""
    if predictions:
        return len(np.unique(hits.p)) / predictions
    return 0.0 if references else float("nan")
