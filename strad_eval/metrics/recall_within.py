"""Recall@k/N: whether a description finds its own reference among N neighbouring ones.

Source: Han et al. 2023 (AutoAD II), with the order and windows of StrAD D.3. In each window of N
consecutive rows a row is a hit if its own reference is among the k most like its description.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from strad_eval.metrics.share import Share

Matrix: TypeAlias = NDArray[np.float64]
Similarity: TypeAlias = Callable[[int, int], Matrix]
"""Rows first..last (exclusive) against themselves: descriptions down, references across."""
Ties: TypeAlias = Literal["index", "hit", "miss"]
"""A reference as like as the right one counts as before it if it stands earlier, never, always."""


def windows(count: int, n: int) -> range:
    """Where each full window of ``n`` rows begins: every N // 2 rows.

    What is left over at the end is not scored, as in AutoAD's program.
    """
    return range(0, count - n + 1, max(1, n // 2))


def recall_within(
    similarity: Similarity,
    empty: Sequence[bool],
    ks: Sequence[int],
    n: int,
    ties: Ties = "index",
) -> list[Share]:
    """For each k, hits over rows of all windows. A row whose description is empty never hits."""
    starts = windows(len(empty), n)
    hits = np.zeros(len(ks), dtype=np.int64)
    for start in starts:
        ranks = rank_of_own(similarity(start, start + n), ties)
        said = ~np.asarray(empty[start : start + n], dtype=np.bool_)
        hits += [int(np.sum((ranks < k) & said)) for k in ks]
    return [Share(float(hit), float(len(starts) * n)) for hit in hits]


def rank_of_own(block: Matrix, ties: Ties = "index") -> NDArray[np.int64]:
    """For each row of a square block, how many columns come before the diagonal's."""
    own = np.diagonal(block)[:, None]
    before = (block > own).sum(axis=1)
    equal = block == own
    match ties:
        case "index":
            before = before + np.tril(equal, -1).sum(axis=1)
        case "miss":
            before = before + equal.sum(axis=1) - 1
        case "hit":
            pass
    ranks: NDArray[np.int64] = np.where(np.isnan(own[:, 0]), len(block), before)
    return ranks
