"""Speech: who has been heard when, and the gaps in which nobody speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from strad.timeline import Interval, Ms, subtract

WORDS_PER_MINUTE = 150
"""The speech rate every estimate assumes (StrAD, section 4.1)."""

_WORD = re.compile(r"\w+(?:['\u2019\-.,:]\w+)*")


class GapSource(StrEnum):
    """What tells speech from silence."""

    VAD = "vad"
    TRANSCRIPT = "transcript"
    UNION = "union"


class Protect(StrEnum):
    """What is not free to speak in, beside speech."""

    SPEECH = "speech"
    """Nothing else."""
    SONGS = "songs"
    """Music with a voice in it, too, from just before the voice to the last note."""
    SOUNDS = "sounds"
    """Songs, music that swells, and sounds that matter: bangs and alarms."""


@dataclass(frozen=True, slots=True)
class Word:
    """One recognised word. Once committed it never changes."""

    when: Interval
    text: str
    probability: float = 1.0


@dataclass(frozen=True, slots=True)
class SpeechSegment:
    """A span in which somebody speaks."""

    when: Interval


@dataclass(frozen=True, slots=True)
class SpeechGap:
    """A span without speech. A closed one ends where speech starts again; an open one may grow."""

    when: Interval
    closed: bool


Transcript = tuple[Word, ...]
"""Words in order of their start."""


def gaps_between(speech: Iterable[Interval], within: Interval, min_gap: Ms) -> list[SpeechGap]:
    """The gaps of at least ``min_gap`` inside ``within``; the one touching its end is open."""
    return [
        SpeechGap(span, closed=span.end < within.end)
        for span in subtract(within, speech)
        if span.duration >= min_gap
    ]


def count_words(text: str) -> int:
    """How many words a voice would say."""
    return len(_WORD.findall(text))


def spoken_ms(text: str, words_per_minute: float = WORDS_PER_MINUTE) -> Ms:
    """How long ``text`` takes to say at a steady rate."""
    return round(count_words(text) * 60_000 / words_per_minute)
