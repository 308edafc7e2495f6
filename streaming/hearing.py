"""What listening finds out: where there is speech, and which words. Values only. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from strad.speech import Word
from strad.timeline import Interval, Ms


@dataclass(frozen=True, slots=True)
class SpeechKnown:
    """VAD has decided all the sound before ``until``; ``speech`` is what it newly found there.

    Spans come in order and never change; a long utterance comes as several spans that touch.
    ``until`` only rises.
    """

    until: Ms
    speech: tuple[Interval, ...] = ()


@dataclass(frozen=True, slots=True)
class WordsKnown:
    """These words are final, and no other word will start before ``until``."""

    until: Ms
    words: tuple[Word, ...] = ()
    wordless: tuple[Interval, ...] = ()
    """Spans that count as speech though their words are not known: captions that got lost."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """Media of this span never came: nobody knows who speaks in it, so nothing is said in it."""

    when: Interval


@dataclass(frozen=True, slots=True)
class SoundsKnown:
    """All the sound before ``until`` is decided: ``spans`` is what in it is to be left alone.

    Spans come in order and may touch or overlap earlier ones. ``until`` only rises.
    """

    until: Ms
    spans: tuple[Interval, ...] = ()


Heard: TypeAlias = SpeechKnown | WordsKnown | SoundsKnown | Unheard
