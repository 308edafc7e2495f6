"""Which sound of one stream is transcribed when, and which words are final. Pure.

Sound and decided speech go in, passes over the sound are asked for, what a pass heard goes in
again, final words come out. Speech with pauses shorter than ``join`` is one utterance. A closed
utterance is transcribed once, and all its words are final. A long one is transcribed as it
grows; words that two passes agree on are final, and the passes after are made to continue them.

Only speech is transcribed. Speech that waits too long is let go of, oldest first.
"""

from __future__ import annotations

from dataclasses import dataclass

from strad.speech import Word
from strad.timeline import Interval, Ms, covered, subtract
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.hypothesis import Guess, Hypothesis
from streaming.local_agreement import LocalAgreement
from streaming.sound import Sound
from streaming.word_times import placed


@dataclass(frozen=True, slots=True)
class ScribeTuning:
    """All times are media time."""

    join: Ms = 500
    """Speech with shorter pauses is one utterance."""
    lead: Ms = 160
    """Sound given to a pass before the speech, and after it."""
    shortest: Ms = 160
    """An utterance with less speech than this holds no word."""
    first: Ms = 6_000
    """An open utterance is first transcribed with so much speech, ..."""
    step: Ms = 4_000
    """... and again after so much more."""
    margin: Ms = 600
    """Words that end so near to the end of unfinished sound may not become final."""
    cut: Ms = 12_000
    """An utterance longer than this is cut after its last final word."""
    longest: Ms = 20_000
    """An utterance this long has its words made final, agreed on or not."""
    backlog: Ms = 28_000
    """So much sound may wait for a pass; what is older is let go of."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A piece of sound that should be transcribed now."""

    when: Interval
    pcm: bytes
    known: tuple[Guess, ...]
    """Final words at its start, to be continued."""
    closed: bool
    """Whether the utterance is over."""


class Scribe:
    """The words of one stream. ``start`` is the media time of its first sample."""

    def __init__(self, start: Ms, tuning: ScribeTuning | None = None) -> None:
        self._tuning = tuning or ScribeTuning()
        self._sound = Sound(start)
        self._decided = start
        """VAD has decided all before."""
        self._over = False
        self._spans: list[Interval] = []
        """Speech whose words are not final yet, in order; no two touch."""
        self._floor = start
        """No more words start before this."""
        self._begin: Ms | None = None
        """Where passes over the present utterance start, once one was made."""
        self._passed: Ms | None = None
        """Where the latest pass over it ended."""
        self._known: list[Guess] = []
        """Final words that lie in its sound after ``_begin``."""
        self._agreement = LocalAgreement()
        self._out: Pass | None = None
        self._torn = False
        """Whether sound right after the pass that is out was let go of."""
        self._said: list[Word] = []
        self._until = start
        self.lost: Ms = 0
        """Speech let go of untranscribed, so far."""

    @property
    def waiting(self) -> Ms:
        """How much sound waits for a pass, the one that is out not counted."""
        return max(0, self._decided - self._untouched())

    @property
    def is_full(self) -> bool:
        """Whether so much waits that the oldest would have to be let go of."""
        return self.waiting >= self._tuning.backlog

    def hear(self, pcm: bytes) -> None:
        """Take the next sound."""
        self._sound.append(pcm)

    def decide(self, known: SpeechKnown) -> None:
        """Take what VAD has decided about it."""
        for span in known.speech:
            touches = bool(self._spans) and self._spans[-1].end >= span.start
            start = self._spans.pop().start if touches else span.start
            self._spans.append(Interval(start, span.end))
        self._decided = known.until
        self._trim()

    def finish(self) -> None:
        """No more sound will come."""
        self._over = True

    def next_pass(self) -> Pass | None:
        """The pass to make now, if any. At most one is out at a time."""
        while self._spans and self._out is None:
            utterance, closed = self._utterance()
            if closed and covered(utterance) < self._tuning.shortest:
                self._close(utterance[-1].end)
                continue
            if not closed and not self._is_due(utterance):
                return None
            self._out = self._pass(utterance, closed)
            return self._out
        return None

    def heard(self, hypothesis: Hypothesis) -> None:
        """What the pass that is out has heard."""
        made, self._out = self._out, None
        if made is None:
            raise ValueError("no pass is out")
        torn, self._torn = self._torn, False
        if made.closed or torn:
            self._commit(made, hypothesis.guesses)
            self._close(made.when.end)
        else:
            self._agree(made, hypothesis.guesses)
        self._trim()

    def shed(self) -> None:
        """Let go of speech that has waited too long, oldest first."""
        oldest, first = self._decided - self._tuning.backlog, self._untouched()
        if first >= oldest:
            return
        before = covered(self._spans)
        gone = [Interval(first, oldest)]
        self._spans = [left for span in self._spans for left in subtract(span, gone)]
        self.lost += before - covered(self._spans)
        self._torn = self._out is not None
        if self._out is None:
            self._restart()
        self._trim()

    def findings(self) -> WordsKnown | None:
        """The words that became final, and up to where; None when nothing is new."""
        until = min(self._spans[0].start, self._decided) if self._spans else self._decided
        until = max(self._until, self._floor if self._out and not self._spans else until)
        if until == self._until and not self._said:
            return None
        words, self._said, self._until = tuple(self._said), [], until
        return WordsKnown(until, words)

    def _untouched(self) -> Ms:
        """Where the speech starts that no pass is out for."""
        after = self._out.when.end if self._out else self._floor
        return next((max(s.start, after) for s in self._spans if s.end > after), self._decided)

    def _utterance(self) -> tuple[list[Interval], bool]:
        """The first utterance of what is pending, and whether it is over."""
        spans = self._spans
        count = 1
        while count < len(spans) and spans[count].start - spans[count - 1].end < self._tuning.join:
            count += 1
        quiet = self._decided - spans[count - 1].end
        closed = count < len(spans) or self._over or quiet >= self._tuning.join
        end = self._begins(spans[0]) + self._tuning.longest
        if spans[count - 1].end <= end:
            return spans[:count], closed
        return [Interval(s.start, min(s.end, end)) for s in spans[:count] if s.start < end], False

    def _begins(self, first: Interval) -> Ms:
        """Where the sound of a pass starts whose pending speech starts with ``first``."""
        if self._begin is not None:
            return self._begin
        return max(first.start - self._tuning.lead, self._floor, self._sound.start)

    def _is_due(self, utterance: list[Interval]) -> bool:
        passed = self._passed
        if passed is None:
            new, enough = covered(utterance), self._tuning.first
        else:
            new = sum(max(0, span.end - max(span.start, passed)) for span in utterance)
            enough = self._tuning.step
        whole = utterance[-1].end - self._begins(utterance[0])
        return new >= enough or (new > 0 and whole >= self._tuning.longest)

    def _pass(self, utterance: list[Interval], closed: bool) -> Pass:
        begin = self._begin = self._begins(utterance[0])
        end = utterance[-1].end
        if closed:
            after = [span.start for span in self._spans if span.start >= end]
            end = min([end + self._tuning.lead, self._sound.end, *after])
        when = Interval(begin, end)
        return Pass(when, self._sound.cut(when), tuple(self._known), closed)

    def _agree(self, made: Pass, guesses: tuple[Guess, ...]) -> None:
        """Make final what two passes agree on; when the utterance grows too long, more."""
        settled = made.when.duration - self._tuning.margin
        final = self._agreement.agree(guesses, settled)
        forced = made.when.duration >= self._tuning.longest
        if forced:
            final = max(final, sum(guess.end <= settled for guess in guesses))
        self._passed = made.when.end
        self._commit(made, guesses[:final])
        if forced and self._floor < made.when.start + self._tuning.margin:
            self._settle(made.when.start + settled)
        if made.when.duration >= self._tuning.cut and self._floor > made.when.start:
            self._begin, self._known = self._floor, []

    def _commit(self, made: Pass, guesses: tuple[Guess, ...]) -> None:
        """These words are final."""
        speech = [both for span in self._spans if (both := span.intersect(made.when))]
        onsets = [span.start for span in speech if span.start > self._floor]
        words = [word for word in placed(guesses, made.when.start, speech, onsets) if word]
        self._said += words
        self._known += guesses
        if words:
            self._settle(words[-1].when.end)

    def _settle(self, t: Ms) -> None:
        """Nothing more is expected before ``t``."""
        self._floor = max(self._floor, t)
        self._spans = [
            Interval(max(span.start, t), span.end) for span in self._spans if span.end > t
        ]

    def _close(self, t: Ms) -> None:
        """The utterance that ended at ``t`` is done."""
        self._settle(t)
        self._restart()

    def _restart(self) -> None:
        """The next pass is over another utterance."""
        self._begin = self._passed = None
        self._known = []
        self._agreement.forget()

    def _trim(self) -> None:
        """Let go of sound that no pass will ask for."""
        first = self._spans[0].start if self._spans else self._decided
        needed = first if self._begin is None else min(first, self._begin)
        self._sound.forget_before(needed - self._tuning.lead)
