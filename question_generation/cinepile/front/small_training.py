"""Training of the sentence model: logistic regression, the same file from the same seed.

Plain floats in a settled order, so that no library or machine changes a digit that is kept.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from question_generation.cinepile.front.features import features
from question_generation.cinepile.front.labelled import VISUAL, Labelled
from question_generation.cinepile.front.sentence_model import SentenceModel

ROUNDS, STEP, DECAY = 30, 0.25, 0.002
LEAST = 2
"""A feature of fewer sentences is left out."""
DIGITS = 3


def train(
    sentences: Sequence[Labelled], *, seed: int = 0, name: str = "sentences 1"
) -> SentenceModel:
    """Both kinds weigh the same, whatever their number. Learns them bare too, as from some ASR."""
    told = [(features(text), one.kind == VISUAL) for one in sentences for text in _ways(one.text)]
    counted = Counter(feature for found, _ in told for feature in found)
    kept = {feature for feature, many in counted.items() if many >= LEAST}
    rows = [([one for one in found if one in kept], visual) for found, visual in told]
    weights = _fit(rows, Random(seed))
    bias = weights.pop("", 0.0)
    rounded = {one: round(weight, DIGITS) for one, weight in weights.items()}
    return SentenceModel(name, {k: v for k, v in rounded.items() if v}, round(bias, DIGITS))


def _ways(text: str) -> list[str]:
    """As it stands, and without capitals and marks."""
    bare = " ".join("".join(c for c in text.lower() if c.isalnum() or c in "' ").split())
    return [text, bare] if bare else [text]


def _fit(rows: Sequence[tuple[list[str], bool]], chance: Random) -> dict[str, float]:
    """Weights by AdaGrad, with decay towards 0; the bias under the empty name."""
    visual = sum(1 for _, is_visual in rows if is_visual)
    share = {
        True: len(rows) / (2 * max(1, visual)),
        False: len(rows) / (2 * max(1, len(rows) - visual)),
    }
    weights: defaultdict[str, float] = defaultdict(float)
    squares: defaultdict[str, float] = defaultdict(lambda: 1.0)
    order = list(range(len(rows)))
    for _ in range(ROUNDS):
        chance.shuffle(order)
        for at in order:
            found, is_visual = rows[at]
            total = weights[""] + sum(weights[one] for one in found)
            likely = 1 / (1 + math.exp(-max(-60.0, min(60.0, total))))
            error = share[is_visual] * (float(is_visual) - likely)
            for one in ("", *found):
                slope = error - DECAY * weights[one]
                squares[one] += slope * slope
                weights[one] += STEP * slope / math.sqrt(squares[one])
    return dict(weights)
