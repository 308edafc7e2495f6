"""Speech as it becomes known, and the free spans it leaves. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from strad.speech import GapSource, SpeechGap, Word, gaps_between
from strad.timeline import Interval, Ms, merge
from streaming.hearing import SpeechKnown, WordsKnown

JOIN_WORDS: Ms = 300
"""Words closer than this belong to one stretch of speech."""


@dataclass(frozen=True, slots=True)
class SpeechSoFar:
    """What a timeline of speech holds, to be gone on from."""

    spans: tuple[Interval, ...] = ()
    vad_until: Ms = 0
    words_until: Ms = 0
    last_word_end: Ms = -JOIN_WORDS


class SpeechTimeline:
    """Follows what VAD and transcript say about speech; never knows more than it was told."""

    def __init__(self, source: GapSource, so_far: SpeechSoFar | None = None) -> None:
        known = so_far or SpeechSoFar()
        self._source = source
        self._speech = list(known.spans)
        self._vad_until = known.vad_until
        self._words_until = known.words_until
        self._last_word_end = known.last_word_end
        self.missed_to: Ms = 0
        """End of the newest span that nobody heard."""
        self.missed: list[Interval] = []
        """What nobody heard, as far back as it matters; known to this timeline alone."""

    @property
    def so_far(self) -> SpeechSoFar:
        """What is known."""
        return SpeechSoFar(
            tuple(self._speech), self._vad_until, self._words_until, self._last_word_end
        )

    @property
    def known_to(self) -> Ms:
        """Up to here it is decided whether there is speech."""
        return self._words_until if self._source is GapSource.TRANSCRIPT else self._vad_until

    @property
    def words_final_to(self) -> Ms:
        """Up to here no more words will come."""
        return self._words_until

    def hear(self, known: SpeechKnown) -> None:
        """Take what VAD decided."""
        self._vad_until = max(self._vad_until, known.until)
        if self._source is not GapSource.TRANSCRIPT:
            self._add(known.speech)

    def read(self, known: WordsKnown) -> None:
        """Take what the transcript holds."""
        self._words_until = max(self._words_until, known.until)
        if self._source is GapSource.VAD:
            return
        self._add(known.wordless)
        if known.words:
            self._add(join_words(known.words, after=self._last_word_end))
            self._last_word_end = max(word.when.end for word in known.words)

    def miss(self, when: Interval) -> None:
        """Nobody heard ``when``: it counts as speech, whatever tells speech from silence."""
        self._vad_until = max(self._vad_until, when.end)
        self._words_until = max(self._words_until, when.end)
        self.missed_to = max(self.missed_to, when.end)
        self.missed.append(when)
        self._add([when])

    def speech(self, within: Interval) -> list[Interval]:
        """Known speech inside ``within``, clipped to it."""
        clipped = (span.intersect(within) for span in self._overlapping(within))
        return [span for span in clipped if span]

    def gaps(self, within: Interval, min_gap: Ms) -> list[SpeechGap]:
        """The gaps inside the decided part of ``within``; the one at its end may be open."""
        end = max(within.start, min(within.end, self.known_to))
        decided = Interval(within.start, end)
        return gaps_between(self._overlapping(decided), decided, min_gap)

    def forget(self, before: Ms) -> None:
        """Let go of speech that ended before this time."""
        if self._speech and self._speech[0].end < before:
            self._speech = [span for span in self._speech if span.end >= before]
        self.missed = [span for span in self.missed if span.end >= before]

    def _add(self, spans: Iterable[Interval]) -> None:
        for span in spans:
            if span.duration == 0:
                continue
            if not self._speech or span.start > self._speech[-1].end:
                self._speech.append(span)
                continue
            at = bisect_left(self._speech, span.start, key=lambda s: s.end)
            self._speech[at:] = merge([*self._speech[at:], span])

    def _overlapping(self, within: Interval) -> list[Interval]:
        at = bisect_left(self._speech, within.start, key=lambda s: s.end)
        spans: list[Interval] = []
        for span in self._speech[at:]:
            if span.start >= within.end:
                break
            if span.end > within.start:
                spans.append(span)
        return spans


def join_words(words: tuple[Word, ...], *, after: Ms = -JOIN_WORDS) -> list[Interval]:
    """The stretches of speech that words make, short pauses between words counted in.

    ``after`` is where the word before them ended.
    """
    joined: list[Interval] = []
    end = after
    for word in sorted(words, key=lambda w: w.when):
        pause = Interval(end, word.when.start) if word.when.start > end else None
        if pause and pause.duration < JOIN_WORDS:
            joined.append(pause)
        joined.append(word.when)
        end = max(end, word.when.end)
    return merge(joined)
