"""Gaps and words as they become known, as messages for viewers who wish them."""

from __future__ import annotations

from collections.abc import Iterator

from strad.speech import GapSource, Word
from strad.timeline import Interval, Ms, to_seconds
from strad.wire.message import MAX_TEXT, well_formed
from strad.wire.viewing import MAX_WORDS, Aside, Gap, SpokenWord, Words
from streaming.gaps import SpeechTimeline
from streaming.hearing import Heard, SpeechKnown, Unheard, WordsKnown

REMEMBERED: Ms = 60_000
"""Speech that ended longer ago can't change a gap any more."""


class GapWatch:
    """Follows one stream's speech. ``least``: the shortest gap that is told, in ms."""

    def __init__(self, source: GapSource, least: Ms) -> None:
        self._speech = SpeechTimeline(source)
        self._least = least
        self._told_to: Ms = 0
        self._open: Ms | None = None
        self._words_to: Ms = 0

    def take(self, heard: Heard) -> Iterator[Aside]:
        """What there is to tell, now that ``heard`` is known."""
        match heard:
            case SpeechKnown():
                self._speech.hear(heard)
            case WordsKnown():
                self._speech.read(heard)
                yield from self._words(heard)
            case Unheard(when):
                self._speech.miss(when)
        yield from self._gaps()
        self._speech.forget(self._speech.known_to - REMEMBERED)

    def _words(self, known: WordsKnown) -> Iterator[Words]:
        until = max(self._words_to, known.until)
        for first in range(0, len(known.words), MAX_WORDS):
            words = known.words[first : first + MAX_WORDS]
            yield Words(words=tuple(_spoken(word) for word in words), until=to_seconds(until))
        self._words_to = until

    def _gaps(self) -> Iterator[Gap]:
        within = Interval(self._told_to, max(self._told_to, self._speech.known_to))
        gaps = self._speech.gaps(within, self._least)
        if self._open is not None and all(gap.when.start != self._open for gap in gaps):
            yield _gap(self._open, self._open)  # words that came later say that it was none
            self._open = None
        for gap in gaps:
            if gap.closed:
                yield _gap(gap.when.start, gap.when.end)
                self._told_to, self._open = gap.when.end, None
            elif self._open is None:
                yield _gap(gap.when.start, None)
                self._told_to = self._open = gap.when.start


def _gap(start: Ms, end: Ms | None) -> Gap:
    return Gap(start=to_seconds(start), end=None if end is None else to_seconds(end))


def _spoken(word: Word) -> SpokenWord:
    text = well_formed(word.text[:MAX_TEXT])
    return SpokenWord(start=to_seconds(word.when.start), end=to_seconds(word.when.end), text=text)
