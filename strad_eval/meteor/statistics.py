"""From the jar's counts of one pair, or the sum of many, to a METEOR score.

Source: METEOR 1.5's published definition (Denkowski and Lavie 2014) with the parameters that its
English default task uses. Equal to the jar's own scores to 1e-12 (tests/strad_eval/meteor).
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Counts: TypeAlias = NDArray[np.float64]
"""Shape (n, 23): for each pair, the lengths of hypothesis and reference, their function words,
then for each of four matchers the content words matched in both and the function words matched in
both (hypothesis first), then chunks and the words matched in both."""

WIDTH = 23
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.20, 0.60, 0.75
MATCHER_WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])
"""Exact, stem, synonym, paraphrase."""


def score(counts: Counts) -> NDArray[np.float64]:
    """The METEOR score of each row, shape (n,); 0 where it is not defined."""
    return _score(counts, _chunks(counts))


def aggregate(counts: Counts) -> float:
    """The score of the summed counts, as densevid_eval reports it; NaN for no pair at all."""
    if not len(counts):
        return float("nan")
    chunks = _chunks(counts).sum(keepdims=True)
    return float(_score(counts.sum(axis=0, keepdims=True), chunks)[0])


def _chunks(counts: Counts) -> NDArray[np.float64]:
    """Chunks of each row. A pair that matches whole, in one, counts none: also in a sum."""
    whole = (counts[:, 21] == counts[:, 0]) & (counts[:, 22] == counts[:, 1])
    return np.where(whole & (counts[:, 20] == 1), 0.0, counts[:, 20])


def _score(counts: Counts, chunks: NDArray[np.float64]) -> NDArray[np.float64]:
    matched = counts[:, 4:20].reshape(-1, 4, 4)
    precision = _share(matched[:, :, 0], matched[:, :, 2], counts[:, 0], counts[:, 2])
    recall = _share(matched[:, :, 1], matched[:, :, 3], counts[:, 1], counts[:, 3])
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = 1.0 / ((1.0 - ALPHA) / precision + ALPHA / recall)
        fragments = chunks / ((counts[:, 21] + counts[:, 22]) / 2.0)
    found = (precision > 0) & (recall > 0)
    return np.where(found, mean * (1.0 - GAMMA * np.power(fragments, BETA)), 0.0)


def _share(
    content: NDArray[np.float64],
    function: NDArray[np.float64],
    length: NDArray[np.float64],
    functions: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The weight of the words matched over the weight of all words of that side; 0 for none."""
    matched = (DELTA * content + (1.0 - DELTA) * function) @ MATCHER_WEIGHTS
    total = DELTA * (length - functions) + (1.0 - DELTA) * functions
    share: NDArray[np.float64] = np.zeros_like(total)
    np.divide(matched, total, out=share, where=total > 0)
    return share
