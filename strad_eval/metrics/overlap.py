"""OL: the share of predicted time that lies over speech.

Source: StrAD, D.2.3. Speech is merged first; two overlapping descriptions both count, since the
denominator is the *total* predicted duration.
"""

from __future__ import annotations

from strad_eval.metrics.share import Share
from strad_eval.unit import Unit, merged


def overlap(unit: Unit, guard_s: float = 0.0) -> Share:
    """Seconds over speech of seconds predicted; of nothing where no transcript is known."""
    if unit.speech is None:
        return Share(0.0, 0.0)
    speech = merged((start - guard_s, end + guard_s) for start, end in unit.speech)
    over, first = 0.0, 0
    for event in unit.predictions:
        # Predictions come in order of start: speech that ends before this one is done with.
        while first < len(speech) and speech[first][1] <= event.start:
            first += 1
        at = first
        while at < len(speech) and speech[at][0] < event.end:
            over += min(event.end, speech[at][1]) - max(event.start, speech[at][0])
            at += 1
    return Share(over, sum(event.duration for event in unit.predictions))
