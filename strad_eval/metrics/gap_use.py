"""Gap use: the share of usable gap time in which something is described.

Not in any paper. WCAG's failure F113 is a usable pause (about 2 s and more) left unused while
something important shows; filling every pause is wrong too (style rule 14). Compare with the
reference's own figure, which the report gives beside it.
"""

from __future__ import annotations

from typing import NamedTuple

from strad_eval.gaps import gaps_in
from strad_eval.metrics.share import Share
from strad_eval.unit import Event, Span, Unit, merged


class GapUse(NamedTuple):
    """Seconds described over seconds of gap: by the predictions, and by the references."""

    predicted: Share
    reference: Share


def gap_use(unit: Unit, least_gap_s: float) -> GapUse:
    """Of a unit whose speech is known; of nothing otherwise."""
    if unit.speech is None:
        return GapUse(Share(0.0, 0.0), Share(0.0, 0.0))
    gaps = gaps_in(unit.span, unit.speech, least_gap_s)
    whole = sum(end - start for start, end in gaps)
    return GapUse(
        Share(_inside(unit.predictions, gaps), whole), Share(_inside(unit.references, gaps), whole)
    )


def _inside(events: tuple[Event, ...], gaps: list[Span]) -> float:
    """Seconds that the two sorted lists share, each event's time counted once."""
    said = merged((event.start, event.end) for event in events)
    i = j = 0
    both = 0.0
    while i < len(said) and j < len(gaps):
        both += max(0.0, min(said[i][1], gaps[j][1]) - max(said[i][0], gaps[j][0]))
        if said[i][1] < gaps[j][1]:
            i += 1
        else:
            j += 1
    return both
