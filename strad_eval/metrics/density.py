"""Density: how much is described, against how much a describer did.

Not in any paper. 1 is as much as the reference; far above it the system talks too much, which
listeners mind (style rule 14), far below it leaves things unsaid.
"""

from __future__ import annotations

from typing import NamedTuple

from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


class Density(NamedTuple):
    """Predicted over reference: descriptions, their seconds, their words."""

    events: Share
    seconds: Share
    words: Share


def density(unit: Unit) -> Density:
    """NaN where there is no reference to compare with."""
    ours, theirs = unit.predictions, unit.references
    return Density(
        Share(len(ours), len(theirs)),
        Share(sum(e.duration for e in ours), sum(e.duration for e in theirs)),
        Share(sum(len(e.tokens.split()) for e in ours), sum(len(e.tokens.split()) for e in theirs)),
    )
