"""The reference way, plainly: densevid_eval's and SODA's procedures, rewritten from the page.

Slow on purpose. Tests hold our figures equal to these, the bench times them. Captioning scores
come from ``pycocoevalcap`` itself: its tokenizer, CIDEr, ROUGE and METEOR.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from strad_eval.unit import Event, Unit

UNMATCHED = "zqxjkvbqzwxjqk"


def iou(a: Event, b: Event) -> float:
    """Both programs' temporal IoU."""
    shared = max(0.0, min(a.end, b.end) - max(a.start, b.start))
    whole = min(max(a.end, b.end) - min(a.start, b.start), a.end - a.start + b.end - b.start)
    return shared / (whole + 1e-8)


def soda_f(
    unit: Unit, tiou: float, worth: Callable[[Event, Event], float]
) -> tuple[float, float, float]:
    """SODA by recursion over a full matrix, as published: dies on long videos."""
    gold, said = unit.references, unit.predictions
    weight = [
        [value * worth(g, p) if (value := iou(g, p)) >= tiou else 0.0 for p in said] for g in gold
    ]
    best: dict[tuple[int, int], float] = {}

    def total(i: int, j: int) -> float:
        if i < 0 or j < 0:
            return 0.0
        if (i, j) not in best:
            took = total(i - 1, j - 1) + weight[i][j]
            best[i, j] = max(total(i - 1, j), total(i, j - 1), took)
        return best[i, j]

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        whole = total(len(gold) - 1, len(said) - 1)
    finally:
        sys.setrecursionlimit(limit)
    p, r = whole / len(said), whole / len(gold)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def pairs_at(unit: Unit, tiou: float) -> list[tuple[str, str]]:
    """densevid_eval's pairs (reference, prediction), texts as given."""
    pairs = []
    for said in unit.predictions:
        golds = [gold for gold in unit.references if iou(gold, said) >= tiou]
        pairs += [(gold.text, said.text) for gold in golds]
        if not golds:
            pairs.append((UNMATCHED, said.text))
    return pairs


def recall_precision(unit: Unit, tiou: float) -> tuple[float, float]:
    """With IoU at the threshold counted, as StrAD's pairs have it."""
    hit = [[iou(g, p) >= tiou for p in unit.predictions] for g in unit.references]
    recalled = sum(any(row) for row in hit) / len(unit.references)
    found = sum(any(row[j] for row in hit) for j in range(len(unit.predictions)))
    return recalled, found / len(unit.predictions)


def caption_scores(
    pairs: Sequence[tuple[str, str]], tokenizer: Any, scorers: dict[str, Any]
) -> dict[str, float]:
    """``pycocoevalcap``'s scores of the pairs, tokenised by its jar."""
    gold = tokenizer.tokenize({i: [{"caption": r}] for i, (r, _) in enumerate(pairs)})
    said = tokenizer.tokenize({i: [{"caption": h}] for i, (_, h) in enumerate(pairs)})
    return {name: float(one.compute_score(gold, said)[0]) for name, one in scorers.items()}
