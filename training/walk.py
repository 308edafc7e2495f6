"""A walk over one film: a window moved by random strides, each labelled, built as serving does.

What has been described and said so far is kept by a ``Programme``, which also says where it is
free and makes the windows: the one of a served stream. So no window holds what comes after its
cursor, and no description is in its own context. Events that no window could be asked about, since
there was no free time or the strides were too long, become context when they have passed. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from strad.cues import Cue
from strad.decision import Describe
from strad.speech import GapSource
from strad.timeline import Interval, Ms
from streaming.config import Pace, StreamConfig
from streaming.cursor import Cursor
from streaming.hearing import WordsKnown
from streaming.media import AudioChunk, VideoFrame
from streaming.memory import Memory
from streaming.placement import Placed
from streaming.programme import Programme
from streaming.window import Window
from training.example import Kind
from training.labels import Label, label
from training.material import Material

TICK: Ms = 100
"""Strides are whole ticks, as a served stream's are."""


@dataclass(frozen=True, slots=True)
class Strides:
    """The shortest and the longest, drawn evenly."""

    shortest: Ms = 500
    longest: Ms = 4_000

    def draw(self, rng: Random) -> Ms:
        """One of them."""
        return rng.randint(self.shortest // TICK, self.longest // TICK) * TICK


@dataclass(frozen=True, slots=True)
class Turn:
    """One window that serving would ask about."""

    step: Interval
    gap: Interval
    label: Label

    @property
    def cursor(self) -> Ms:
        """The window's end."""
        return self.step.end


class Walk:
    """Goes once over the film. The same seed goes the same way, with media and without."""

    def __init__(
        self, material: Material, length: Ms, *, strides: Strides, rng: Random, window: Ms = 8_000
    ) -> None:
        config = StreamConfig(
            window=window,
            stride=min(window, strides.longest),
            gaps=GapSource.TRANSCRIPT,
            pace=Pace.EVERY_WINDOW,
            language=material.language,
        )
        self._config, self._length = config, length
        self._strides, self._rng = strides, rng
        self._programme = Programme(config, Memory(), describer="reference", draft=False)
        self._cursor = Cursor(config)
        self._words = iter([*material.words, None])
        self._word = next(self._words)
        self._events = iter([*material.events, None])
        self._event = next(self._events)
        self._unsure = material.unsure
        self._unseen: list[Cue] = []
        self.passed: Counter[str] = Counter()
        """What didn't become an example, by why."""

    def see(self, media: VideoFrame | AudioChunk) -> None:
        """Take the next picture or sound; a window has what was seen before it was built."""
        self._programme.see(media)

    def turns(self) -> Iterator[Turn]:
        """Every window in order. ``window`` builds the one that came last."""
        while self._cursor.at + self._config.min_gap <= self._length:
            at = self._cursor.at
            end = min(at + self._strides.draw(self._rng), self._length)
            turn = self._turn(Interval(at, end))
            if turn is not None:
                yield turn
                self._answered(turn)

    def window(self, turn: Turn) -> Window:
        """All that serving would show at the turn, which must be the one that came last."""
        return self._programme.window(turn.step, turn.gap)

    def _turn(self, step: Interval) -> Turn | None:
        self._cursor.at = step.end
        self._programme.forget(step.end)
        self._hear(step.end)
        seen = Interval(max(0, step.end - self._config.window), step.end)
        self._meet(seen)
        gap = self._programme.free_span(step)
        if gap is None:
            self.passed["no-gap"] += 1
            return None
        if any(span.overlaps(seen) for span in self._unsure):
            self.passed["passed-over"] += 1
            return None
        speech = bool(self._programme.speech.speech(seen))
        return Turn(step, gap, label(seen, self._unseen, speech=speech))

    def _hear(self, until: Ms) -> None:
        """All words that begin before ``until``; those that end later are in no window yet."""
        words = []
        while self._word is not None and self._word.when.start < until:
            words.append(self._word)
            self._word = next(self._words)
        self._programme.hear(WordsKnown(until, tuple(words)))

    def _meet(self, seen: Interval) -> None:
        """Events that begin come into view; those that ended before the window have passed."""
        while self._event is not None and self._event.when.start < seen.end:
            self._unseen.append(self._event)
            self._event = next(self._events)
        for event in [event for event in self._unseen if event.when.end <= seen.start]:
            self._pass("event-passed", event, seen.end)
        while (again := self._told_again(seen.end)) is not None:
            self._pass("event-repeats", again, seen.end)

    def _told_again(self, cursor: Ms) -> Cue | None:
        """An event that says what the context says: serving would refuse that answer."""
        said, epoch = self._programme.said, self._programme.epoch
        repeated = (
            event for event in self._unseen if said.repeats(_describe(event), cursor, epoch)
        )
        return next(repeated, None)

    def _answered(self, turn: Turn) -> None:
        """The answer has been given: it is context from here on."""
        event = turn.label.event
        if event is not None:
            self._tell(event, turn.cursor)
            self._cursor.jump(turn.cursor, _describe(event))

    def _pass(self, why: str, event: Cue, cursor: Ms) -> None:
        self.passed[why] += 1
        self._tell(event, cursor)

    def _tell(self, event: Cue, cursor: Ms) -> None:
        programme, describe = self._programme, _describe(event)
        self._unseen.remove(event)
        programme.said.add(describe, event.language, programme.epoch)
        placed = Placed(event.when, 0, 1.0, provisional=False)
        epoch = programme.epoch
        programme.announced.post(describe, placed, cursor=cursor, edge=cursor, epoch=epoch)


def _describe(event: Cue) -> Describe:
    return Describe((event.text,), event.when)


def turn_key(slug: str, turn: Turn) -> str:
    """Names the example of a turn."""
    kind = "ad" if turn.label.kind is Kind.AD else "wait"
    return f"{slug}-{kind}-{turn.cursor:08}"
