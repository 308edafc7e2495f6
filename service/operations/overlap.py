"""Overlap: how long somebody spoke under what was announced, known only afterwards. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from strad.cues import AdEvent
from strad.speech import GapSource
from strad.timeline import Interval, Ms
from streaming.gaps import SpeechTimeline
from streaming.hearing import Heard, SpeechKnown, WordsKnown

WORDS_LATE: Ms = 30_000
"""So long after VAD, words that are not final yet are waited for no more."""


@dataclass(slots=True)
class Placed:
    """One description, until all that is spoken under it is known."""

    id: str
    when: Interval
    withdrawn: bool = False


class Overlap:
    """Follows one stream."""

    def __init__(self, source: GapSource) -> None:
        self._source = source
        self._speech = SpeechTimeline(source)
        self._open: deque[Placed] = deque(maxlen=64)

    def place(self, ad: AdEvent) -> None:
        """It was announced."""
        self._open.append(Placed(ad.id, ad.cue.when))

    def withdraw(self, ad: str) -> None:
        """It was taken back."""
        for placed in self._open:
            placed.withdrawn |= placed.id == ad

    def hear(self, heard: Heard) -> Iterator[tuple[Placed, Ms]]:
        """Each description that is settled by what is known now, and how long it lay on speech."""
        match heard:
            case SpeechKnown():
                self._speech.hear(heard)
            case WordsKnown():
                self._speech.read(heard)
            case _:
                return
        settled_to = self._settled_to()
        for placed in [placed for placed in self._open if placed.when.end <= settled_to]:
            self._open.remove(placed)
            yield placed, sum(span.duration for span in self._speech.speech(placed.when))
        starts = [placed.when.start for placed in self._open]
        self._speech.forget(min([self._speech.known_to - WORDS_LATE, *starts]))

    def _settled_to(self) -> Ms:
        known = self._speech.known_to
        if self._source is not GapSource.UNION:
            return known
        return min(known, max(self._speech.words_final_to, known - WORDS_LATE))
