"""Captions told ahead of the media: held as they came, and made words only when it is near.

A publisher may send a whole film's captions at once, or anything else. What is held is bounded, and
so is the work of every step. Where captions are lost, because a message was refused or holds more
text than anybody can say, the time counts as speech: never as silence that nobody promised.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from heapq import heappop, heappush

from strad.cues import Cue
from strad.errors import OverloadedError, ProtocolError
from strad.speech import Word
from strad.timeline import Interval, Ms, from_seconds
from strad.wire.publishing import CaptionCue, Captions
from streaming import captions
from streaming.hearing import WordsKnown

MOST_CUES = 40_000
"""A day of television."""

MOST_TEXT = 4_000_000
"""Characters."""

BUCKET: Ms = 30_000
MOST_IN_BUCKET = 20_000
"""Characters of the cues that start in one bucket; people say some 1,500."""

SLICE = 1_000
"""Characters after which a slice of work ends, and so a fact."""

MOST_LOST = 50
"""How many refused messages are remembered, in case they are sent again."""


class CaptionQueue:
    """Tell it messages; ask it for the facts that are due."""

    def __init__(self, until: Ms = 0) -> None:
        """``until``: captions before it were told to another queue."""
        self._cues: list[tuple[Ms, int, Cue]] = []
        self._number = 0
        self._text = 0
        self._in_bucket: Counter[Ms] = Counter()
        self.until = until
        """Up to here captions are final."""
        self._told = until
        self._holes: deque[Interval] = deque()
        self._lost: deque[Captions | None] = deque(maxlen=MOST_LOST)
        self._words = captions.Captions()
        self._words.quiet_to(until)

    def tell(self, message: Captions) -> None:
        """Raises ProtocolError for captions that step back, OverloadedError for too many."""
        try:
            self._check(message)
        except ProtocolError:
            self.lose(None)
            raise
        except OverloadedError:
            self.lose(message)
            raise
        self._mend(message)
        for cue in message.cues:
            self._number += 1
            self._text += len(cue.text)
            heappush(self._cues, (from_seconds(cue.start), self._number, _cue(cue)))
        self.until = from_seconds(message.until)

    def lose(self, message: Captions | None) -> None:
        """Captions were refused: to the next ``until`` it isn't known who speaks.

        A ``message`` that is known and told again, before any other, makes up for it.
        """
        self._lost.append(message)

    def due(self, to: Ms, *, over: bool = False) -> Iterator[WordsKnown]:
        """The facts before ``to``, in slices. ``over``: no more captions will come."""
        if over and self._lost and to > self.until:
            self._holes.append(Interval(self.until, to))
        end = to if over else min(to, self.until)
        if lost := tuple(self._holes_to(end)):
            yield WordsKnown(self._words.quiet_to(self._told).until, wordless=lost)
        while self._cues and self._cues[0][0] < end:
            yield self._slice(end)
        if (until := min(end, self.until)) > self._told:
            self._told = until
            yield self._words.quiet_to(until)

    def is_due(self, to: Ms, ahead: Ms) -> bool:
        """Whether there is news before ``to``, or little is known of the ``ahead`` before it."""
        until = min(to, self.until)
        return until > self._told and (until < to or to - ahead // 2 >= self._told)

    def _slice(self, end: Ms) -> WordsKnown:
        words, wordless, size = list[Word](), list[Interval](), 0
        known = WordsKnown(self._told)
        while self._cues and self._cues[0][0] < end and size < SLICE:
            start, _, cue = heappop(self._cues)
            self._text -= len(cue.text)
            size += len(cue.text) + 10
            if self._crowded(start, len(cue.text)):
                wordless.append(cue.when)
                known = self._words.quiet_to(start)
            else:
                known = self._words.add(cue)
            words += known.words
        return WordsKnown(known.until, tuple(words), tuple(wordless))

    def _crowded(self, start: Ms, size: int) -> bool:
        bucket = start // BUCKET
        for old in [old for old in self._in_bucket if old < bucket]:
            del self._in_bucket[old]
        self._in_bucket[bucket] += size
        return self._in_bucket[bucket] > MOST_IN_BUCKET

    def _mend(self, message: Captions) -> None:
        if not self._lost:
            return
        first = self._lost[0]
        if first is not None and (first.cues, first.until) == (message.cues, message.until):
            self._lost.popleft()
            return
        self._lost.clear()
        until = from_seconds(message.until)
        if until > self.until:
            self._holes.append(Interval(self.until, until))

    def _holes_to(self, end: Ms) -> Iterator[Interval]:
        while self._holes and self._holes[0].start < end:
            hole = self._holes.popleft()
            yield Interval(hole.start, min(hole.end, end))
            if hole.end > end:
                self._holes.appendleft(Interval(end, hole.end))
                return

    def _check(self, message: Captions) -> None:
        until = self.until
        if from_seconds(message.until) < until:
            raise ProtocolError(f"captions.until: steps back before {until / 1000:g} s")
        if any(from_seconds(cue.start) < until for cue in message.cues):
            raise ProtocolError(
                f"captions.cues: one starts before {until / 1000:g} s, which was final"
            )
        text = self._text + sum(len(cue.text) for cue in message.cues)
        if len(self._cues) + len(message.cues) > MOST_CUES or text > MOST_TEXT:
            raise OverloadedError(
                f"captions: more than {MOST_CUES} cues or {MOST_TEXT} characters ahead of the "
                "media; send them again when more media has come"
            )


def _cue(cue: CaptionCue) -> Cue:
    return Cue(Interval(from_seconds(cue.start), from_seconds(cue.end)), cue.text)
