"""REP: the share of consecutive descriptions that say the same.

Source: StrAD, D.2.3: pairs with METEOR 1. That is: equal, non-empty tokens (METEOR's aligner uses
its exact module alone on equal sentences, and no other module weighs 1), so no Java is needed. The
tokens are lower-cased and without punctuation; METEOR by itself lower-cases nothing.
"""

from __future__ import annotations

from itertools import pairwise

from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


def repetition(unit: Unit) -> Share:
    """Repeats over consecutive pairs, in time order, inside the unit."""
    said = [event.tokens for event in unit.predictions]
    repeats = sum(1 for before, after in pairwise(said) if before and before == after)
    return Share(repeats, max(0, len(said) - 1))
