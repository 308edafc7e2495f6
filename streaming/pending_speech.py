"""Speech that has been heard and whose words are not final yet. Pure."""

from __future__ import annotations

from typing import NamedTuple

from strad.timeline import Interval, Ms, covered, subtract
from streaming.hearing import SpeechKnown


class Utterance(NamedTuple):
    """Speech with short pauses only."""

    spans: list[Interval]
    closed: bool
    """Whether a longer pause has followed."""

    @property
    def start(self) -> Ms:
        return self.spans[0].start

    @property
    def end(self) -> Ms:
        return self.spans[-1].end


class PendingSpeech:
    """The spans of one stream, in order; no two touch."""

    def __init__(self, start: Ms) -> None:
        self.spans: list[Interval] = []
        self.decided = start
        """VAD has decided all before."""
        self.floor = start
        """No more words start before this."""
        self.over = False
        """Whether no more sound will come."""

    def decide(self, known: SpeechKnown) -> None:
        """VAD has decided more."""
        for span in known.speech:
            touches = bool(self.spans) and self.spans[-1].end >= span.start
            start = self.spans.pop().start if touches else span.start
            self.spans.append(Interval(start, span.end))
        self.decided = known.until

    def settle(self, t: Ms) -> None:
        """All words that start before ``t`` are final."""
        self.floor = max(self.floor, t)
        self.spans = [Interval(max(span.start, t), span.end) for span in self.spans if span.end > t]

    def drop(self, when: Interval) -> Ms:
        """Let go of the speech in ``when``. Returns how much that was."""
        before = covered(self.spans)
        self.spans = [left for span in self.spans for left in subtract(span, [when])]
        return before - covered(self.spans)

    @property
    def words_until(self) -> Ms:
        """No word that is not final yet starts before this."""
        return min(self.spans[0].start, self.decided) if self.spans else self.decided

    def first_after(self, t: Ms) -> Ms:
        """Where the first pending speech after ``t`` starts; else up to where there is none."""
        return next((max(span.start, t) for span in self.spans if span.end > t), self.decided)

    def first_utterance(self, join: Ms) -> Utterance | None:
        """The speech up to the first pause of at least ``join``."""
        if not self.spans:
            return None
        count = 1
        while count < len(self.spans) and self._pause(count) < join:
            count += 1
        closed = count < len(self.spans) or self.over
        quiet = self.decided - self.spans[count - 1].end
        return Utterance(self.spans[:count], closed or quiet >= join)

    def _pause(self, index: int) -> Ms:
        """The pause before the span ``index``."""
        return self.spans[index].start - self.spans[index - 1].end
