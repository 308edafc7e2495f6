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
from strad.timeline import Interval, Ms, covered
from streaming.draft import Draft
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.hypothesis import Guess, Hypothesis
from streaming.pending_speech import PendingSpeech, Utterance
from streaming.sound import Sound
from streaming.word_times import placed


@dataclass(frozen=True, slots=True)
class ScribeTuning:
    """All times are media time."""

    join: Ms = 500
    """Speech with shorter pauses is one utterance."""
    lead: Ms = 192
    """Sound given to a pass before the speech, and after it."""
    shortest: Ms = 160
    """An utterance with less speech than this holds no word."""
    first: Ms = 6_000
    """An open utterance is first transcribed with so much speech, ..."""
    step: Ms = 4_000
    """... and again after so much more."""
    margin: Ms = 600
    """Words that end so near to the end of unfinished sound may not become final."""
    cut: Ms = 10_000
    """An utterance longer than this is cut after its last final word."""
    longest: Ms = 14_000
    """An utterance this long has its words made final, agreed on or not: whoever waits for final
    words never waits longer."""
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
        self._pending = PendingSpeech(start)
        self._draft: Draft | None = None
        """Of the first pending utterance, once it was asked about."""
        self._out: Pass | None = None
        self._torn = False
        """Whether sound right after the pass that is out was let go of."""
        self._said: list[Word] = []
        self._until = start
        self.lost: Ms = 0
        """Speech let go of untranscribed, so far."""

    @property
    def is_full(self) -> bool:
        """Whether so much waits for a pass that the oldest would have to be let go of."""
        return self._oldest_waiting() < self._pending.decided - self._tuning.backlog

    def hear(self, pcm: bytes) -> None:
        """Take the next sound."""
        self._sound.append(pcm)

    def decide(self, known: SpeechKnown) -> None:
        """Take what VAD has decided about it."""
        self._pending.decide(known)
        first = self._pending.words_until
        needed = min(first, self._draft.begin) if self._draft else first
        self._sound.forget_before(needed - self._tuning.lead)

    def finish(self) -> None:
        """No more sound will come."""
        self._pending.over = True

    def next_pass(self) -> Pass | None:
        """The pass to make now, if any. At most one is out at a time."""
        tuning = self._tuning
        while self._out is None:
            utterance = self._pending.first_utterance(tuning.join)
            if utterance is None:
                return None
            if utterance.closed and covered(utterance.spans) < tuning.shortest:
                self._pending.settle(utterance.end)
                self._draft = None
                continue
            lead = max(utterance.start - tuning.lead, self._pending.floor, self._sound.start)
            draft = self._draft = self._draft or Draft(lead)
            full = utterance.end >= draft.begin + tuning.longest
            if not (full or utterance.closed or draft.is_due(utterance, tuning.first, tuning.step)):
                return None
            when, closed = _extent(utterance, draft, self._pending.spans, self._sound.end, tuning)
            self._out = Pass(when, self._sound.cut(when), draft.known, closed)
            return self._out
        return None

    def heard(self, hypothesis: Hypothesis) -> None:
        """What the pass that is out has heard."""
        made, draft, torn = self._out, self._draft, self._torn
        if made is None or draft is None:
            raise ValueError("no pass is out")
        self._out, self._torn = None, False
        if made.closed or torn:
            self._commit(made, hypothesis.guesses)
            self._pending.settle(made.when.end)
            self._draft = None
        else:
            self._grow(made, draft, hypothesis.guesses)

    def shed(self) -> None:
        """Let go of speech that has waited too long, oldest first."""
        if not self.is_full:
            return
        oldest = self._pending.decided - self._tuning.backlog
        self.lost += self._pending.drop(Interval(self._oldest_waiting(), oldest))
        self._torn = self._out is not None
        if self._out is None:
            self._draft = None

    def findings(self) -> WordsKnown | None:
        """The words that became final, and up to where; None when nothing is new."""
        until = max(self._until, self._pending.words_until)
        if until == self._until and not self._said:
            return None
        words, self._said, self._until = tuple(self._said), [], until
        return WordsKnown(until, words)

    def _oldest_waiting(self) -> Ms:
        """Where the first speech starts that no pass is out for."""
        return self._pending.first_after(self._out.when.end if self._out else self._pending.floor)

    def _grow(self, made: Pass, draft: Draft, guesses: tuple[Guess, ...]) -> None:
        """Make final what two passes agree on; when the utterance grows too long, more."""
        length = made.when.duration
        settled = length - self._tuning.margin
        final = draft.agreed(guesses, made.when, settled)
        if length >= self._tuning.longest:
            final = max(final, sum(guess.end <= settled for guess in guesses))
        self._commit(made, guesses[:final])
        draft.known += guesses[:final]
        if length >= self._tuning.longest and self._pending.floor <= made.when.start:
            self._pending.settle(made.when.start + settled)
        if length >= self._tuning.cut and self._pending.floor > made.when.start:
            draft.cut(self._pending.floor)

    def _commit(self, made: Pass, guesses: tuple[Guess, ...]) -> None:
        """These words are final."""
        speech = [both for s in self._pending.spans if (both := s.intersect(made.when))]
        onsets = [span.start for span in speech if span.start > self._pending.floor]
        words = [word for word in placed(guesses, made.when.start, speech, onsets) if word]
        self._said += words
        if words:
            self._pending.settle(words[-1].when.end)


def _extent(
    utterance: Utterance, draft: Draft, spans: list[Interval], heard: Ms, tuning: ScribeTuning
) -> tuple[Interval, bool]:
    """The sound of the next pass over an utterance, and whether that closes it."""
    limit = draft.begin + tuning.longest
    if utterance.end > limit:
        return Interval(draft.begin, limit), False
    if not utterance.closed:
        return Interval(draft.begin, utterance.end), False
    after = [span.start for span in spans if span.start >= utterance.end]
    return Interval(draft.begin, min([utterance.end + tuning.lead, heard, *after])), True
