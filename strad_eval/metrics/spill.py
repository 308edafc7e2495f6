"""Spill: descriptions that are still being spoken when speech begins again.

Not in any paper: a listener hears the whole sentence, whatever end time was predicted. The spoken
length is words over a steady rate (``words_a_minute``); the room is from its start to the next
speech. Rule 2 of the style checks, "fit the gap".
"""

from __future__ import annotations

from typing import NamedTuple

from strad.speech import spoken_ms
from strad_eval.gaps import silence_after
from strad_eval.metrics.share import Share
from strad_eval.unit import Unit

TOLERANCE_S = 0.15
"""Less than this nobody hears as an interruption (the guard that Netflix and DCMP allow)."""


class Spill(NamedTuple):
    """Descriptions that spill over all, and seconds spilled over seconds spoken."""

    events: Share
    seconds: Share


def spill(unit: Unit, words_a_minute: float) -> Spill:
    """Of a unit whose speech is known; of nothing otherwise."""
    if unit.speech is None:
        return Spill(Share(0.0, 0.0), Share(0.0, 0.0))
    late, over, spoken = 0, 0.0, 0.0
    for event in unit.predictions:
        length = spoken_ms(event.text, words_a_minute) / 1000
        beyond = max(0.0, length - silence_after(event.start, unit.speech, unit.duration))
        late += beyond > TOLERANCE_S
        over += beyond
        spoken += length
    return Spill(Share(late, len(unit.predictions)), Share(over, spoken))
