"""Speech rate: how fast a voice must speak to keep to the predicted times.

Not in any paper. Broadcasters ask for 150 to 180 words a minute; about 190 is the most a listener
follows (style rule 3).
"""

from __future__ import annotations

from typing import NamedTuple

from strad.speech import count_words
from strad_eval.metrics.share import Share
from strad_eval.unit import Unit


class SpeechRate(NamedTuple):
    """Words over minutes, and the descriptions that are too fast over all."""

    words_a_minute: Share
    too_fast: Share


def speech_rate(unit: Unit, fastest: float) -> SpeechRate:
    """``fastest`` in words a minute. A description of no length at all is too fast."""
    words = [count_words(event.text) for event in unit.predictions]
    minutes = [event.duration / 60 for event in unit.predictions]
    fast = sum(1 for said, long in zip(words, minutes, strict=True) if said > fastest * long)
    return SpeechRate(Share(sum(words), sum(minutes)), Share(fast, len(words)))
