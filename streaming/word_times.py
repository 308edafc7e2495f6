"""Where a model's words lie on the stream's timeline, held against what VAD heard. Pure.

Whisper's word times come from attention and may be off by a few tenths of a second beside a
pause; VAD's edges are good to some 30 ms. So the first word after a pause starts where VAD heard
speech start, the last one ends where it ended, and words where there is no speech are dropped.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.hypothesis import Guess

REACH: Ms = 300
"""A word this near to speech belongs to it; a word this near to an onset is its first word."""
BRIEF: Ms = 20
"""Whisper's own time step: no word is shorter."""


def placed(
    guesses: Iterable[Guess], origin: Ms, speech: Sequence[Interval], onsets: Sequence[Ms]
) -> list[Word | None]:
    """Each guess as a word, or None where there is no speech; in order, without overlap.

    ``origin`` is the media time the guesses count from. ``speech`` is all the speech they may
    lie in; no word starts before it. ``onsets`` are those starts of it that follow a pause.
    """
    words: list[Word | None] = []
    floor = speech[0].start if speech else origin
    free = list(onsets)
    for guess in guesses:
        when = _into(speech, Interval(origin + guess.start, origin + max(guess.end, guess.start)))
        if when is None:
            words.append(None)
            continue
        start = max(floor, _snapped(when, free))
        floor = max(when.end, start + BRIEF)
        words.append(Word(Interval(start, floor), guess.text, guess.probability))
    return words


def _into(speech: Sequence[Interval], when: Interval) -> Interval | None:
    """``when`` clipped to the span it shares most with, or to one within reach."""
    if not speech:
        return None
    best = max(speech, key=lambda span: (_shared(span, when), -_distance(span, when)))
    if _distance(best, when) > REACH:
        return None
    start = min(max(when.start, best.start), best.end)
    return Interval(start, max(start, min(when.end, best.end)))


def _snapped(when: Interval, free: list[Ms]) -> Ms:
    """The onset this word begins at, which is then taken; else its own start."""
    at = bisect_left(free, when.start - REACH)
    if at < len(free) and free[at] <= when.start + REACH and free[at] < when.end:
        onset = free[at]
        del free[: at + 1]
        return onset
    return when.start


def _shared(span: Interval, when: Interval) -> Ms:
    both = span.intersect(when)
    return both.duration if both else 0


def _distance(span: Interval, when: Interval) -> Ms:
    return max(0, span.start - when.end, when.start - span.end)
