"""Temporal intersection over union, only of the pairs that overlap.

Source: SODA's and densevid_eval's definition, its 1e-8 in the denominator included: an overlap of
exactly a half is a hair below 0.5 (docs/metrics.md, "The epsilon").
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from strad.errors import InputError

EPSILON = 1e-8
"""In seconds."""
MOST_PAIRS = 2_000_000
"""Of one chunk; 200 for each of 10,000 descriptions. More would take gigabytes and minutes."""


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs that share time: row k says that reference ``g[k]`` and prediction ``p[k]`` do."""

    g: NDArray[np.int64]
    p: NDArray[np.int64]
    iou: NDArray[np.float64]

    def at(self, threshold: float) -> Overlaps:
        """The pairs with an IoU of at least ``threshold``."""
        return self.where(self.iou >= threshold)

    def above(self, threshold: float) -> Overlaps:
        """The pairs with an IoU strictly above ``threshold``."""
        return self.where(self.iou > threshold)

    def where(self, keep: NDArray[np.bool_]) -> Overlaps:
        """The pairs for which ``keep`` holds."""
        return Overlaps(self.g[keep], self.p[keep], self.iou[keep])


def overlaps(
    references: NDArray[np.float64], predictions: NDArray[np.float64], epsilon: float = EPSILON
) -> Overlaps:
    """Every overlapping pair of two lists of spans, each of shape (n, 2) in seconds.

    Ordered by reference, then prediction. Time and memory grow with the pairs found, plus a sort;
    not with the product of the two counts. Raises InputError above ``MOST_PAIRS``.
    """
    if not len(references) or not len(predictions):
        return Overlaps(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    g, p = _candidates(references, predictions)
    (gs, ge), (ps, pe) = references[g].T, predictions[p].T
    shared = np.minimum(ge, pe) - np.maximum(gs, ps)
    hull = np.maximum(ge, pe) - np.minimum(gs, ps)
    whole = np.minimum(hull, (ge - gs) + (pe - ps))
    iou = np.maximum(shared, 0.0) / (whole + epsilon)
    found = shared > 0
    return Overlaps(g[found], p[found], iou[found])


def _candidates(
    references: NDArray[np.float64], predictions: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs that may overlap: of either list, those that start inside a span of the other."""
    by_ps = np.argsort(predictions[:, 0], kind="stable")
    by_gs = np.argsort(references[:, 0], kind="stable")
    inside = _starting_within(references, predictions[by_ps, 0], side="left")
    around = _starting_within(predictions, references[by_gs, 0], side="right")
    g = np.concatenate([inside[0], by_gs[around[1]]])
    p = np.concatenate([by_ps[inside[1]], around[0]])
    order = np.lexsort((p, g))
    return g[order], p[order]


def _starting_within(
    spans: NDArray[np.float64], starts: NDArray[np.float64], side: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(span, start) for each of the sorted ``starts`` inside each span.

    A start equal to the span's own counts where ``side`` is left only, so that two lists asked
    both ways name no pair twice.
    """
    first = np.searchsorted(starts, spans[:, 0], side="left" if side == "left" else "right")
    last = np.searchsorted(starts, spans[:, 1], side="left")
    counts = np.maximum(last - first, 0)
    if counts.sum() > MOST_PAIRS:
        raise InputError(
            f"in one chunk {counts.sum()} pairs of descriptions overlap, more than {MOST_PAIRS}:"
            " are the times right?"
        )
    owner = np.repeat(np.arange(len(spans)), counts)
    offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return owner.astype(np.int64), (np.repeat(first, counts) + offset).astype(np.int64)
