"""Session: decides when to ask the describer and when its answer is spoken. Pure.

Facts go in, effects come out; no clock, no await, no I/O. Live service, replay and tests all drive
this same machine.

Theory of operation. Media time advances in ticks up to what is *known*: the point to which both
pictures and speech are decided. Everything the Session does happens at a tick, with what was known
then, so it does not matter how the media was cut on its way here. At a tick it (1) places
descriptions that wait for a gap, (2) asks about the next window once the cursor is due.

Two rules make it real-time:
- at most ``in_flight`` questions are open; media that arrives meanwhile only updates what is known,
  and the next question is about the newest media (``Pace.NEWEST``);
- a description is spoken in free time ahead of the viewers' playhead, or not at all.

With ``Pace.EVERY_WINDOW`` ticks stop while a question is open, so every window is asked in order.
"""

from __future__ import annotations

from typing import assert_never

from strad.decision import Decision, Describe
from strad.timeline import Ms
from streaming.announcement import Dropped, DropReason
from streaming.board import Board, Waiting
from streaming.clock import MediaClock
from streaming.config import Pace, Placement, StreamConfig
from streaming.cursor import Cursor
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.media import AudioChunk, EpochStarted, MediaNotice, VideoFrame
from streaming.placement import Placed
from streaming.programme import Programme
from streaming.questions import Question, Questions
from streaming.stats import SessionStats, Tally


class Session:
    """One stream's state. Feed it facts; carry out the effects; stop when ``done``."""

    def __init__(self, config: StreamConfig, *, describer: str, draft: bool) -> None:
        self._config = config
        self._clock = MediaClock(config)
        self._cursor = Cursor(config)
        self._programme = Programme(config, describer=describer, draft=draft)
        self._questions = Questions()
        self._board = Board()
        self._tally = Tally()

    @property
    def done(self) -> bool:
        """Whether the media has ended and everything decided has been announced or dropped."""
        return self._clock.over and not self._questions.open and self._board.empty

    @property
    def config(self) -> StreamConfig:
        return self._config

    @property
    def clock(self) -> MediaClock:
        """Where the stream stands; only to be read."""
        return self._clock

    @property
    def cursor(self) -> Ms:
        """The end of the newest window."""
        return self._cursor.at

    def stats(self) -> SessionStats:
        """What has happened so far."""
        return self._tally.stats(self._clock.live_edge, self._cursor.skipped)

    def feed(self, fact: Fact) -> list[Effect]:
        """Take one fact; return what is to be done about it, in order."""
        effects = [*self._take(fact), *self._advance()]
        for effect in effects:
            self._tally.count(effect)
        return effects

    def _take(self, fact: Fact) -> list[Effect]:
        match fact:
            case VideoFrame() | AudioChunk():
                self._clock.arrived(fact)
                self._programme.see(fact)
            case SpeechKnown() | WordsKnown():
                self._programme.hear(fact)
            case Answered():
                answered = self._questions.answer(fact.question, fact.decision)
                return [effect for closed in answered for effect in self._apply(*closed)]
            case Measured():
                self._board.measured(fact.question, fact.lengths)
                return self._settle()
            case EpochStarted(epoch):
                self._programme.start_epoch(epoch)
            case MediaEnded():
                self._clock.ended = True
            case MediaNotice():
                pass
            case never:
                assert_never(never)
        return []

    def _advance(self) -> list[Effect]:
        effects: list[Effect] = []
        every_window = self._config.pace is Pace.EVERY_WINDOW
        known = self._clock.known(self._programme.speech)
        while not (every_window and self._halted()) and self._clock.tick(known):
            effects += self._programme.take_back(self._clock)
            effects += self._settle()
            if every_window:
                effects += self._ask()
        if not every_window or self._clock.over:
            effects += self._ask()
        return [*effects, *self._settle()] if self._clock.over else effects

    def _halted(self) -> bool:
        """Whether an answer, or the length of one, must come before time goes on."""
        return self._questions.open > 0 or not self._board.measured_all

    def _ask(self) -> list[Effect]:
        if self._questions.open >= self._config.in_flight:
            return []
        step = self._cursor.step(self._clock.now, over=self._clock.over)
        if step is None:
            return []
        self._programme.forget(step.end)
        gap = self._programme.free_span(step)
        if gap is None:
            self._tally.no_gap += 1
            return []
        question = self._questions.ask(step, self._programme.epoch)
        return [AskDescriber(question, self._programme.window(step, gap))]

    def _apply(self, question: Question, decision: Decision) -> list[Effect]:
        step = question.step
        end = self._cursor.jump(step.end, decision)
        effects: list[Effect] = []
        if isinstance(decision, Describe):
            effects += self._describe(question, decision)
        return [*effects, WindowClosed(question.id, step.end, end - step.start, decision)]

    def _describe(self, question: Question, describe: Describe) -> list[Effect]:
        cursor, epoch = question.step.end, question.epoch
        waiting = Waiting(question.id, cursor, describe, epoch)
        if self._config.placement is Placement.OFF:
            self._programme.remember(describe, epoch)
            raw = Placed(describe.when, len(describe.forms) - 1, 1.0, provisional=False)
            return [self._programme.announce(waiting, raw, self._clock.edge)]
        if self._programme.repeats(describe, cursor, epoch):
            return [Dropped(cursor, DropReason.REPEAT, describe)]
        self._programme.remember(describe, epoch)
        measure = MeasureSpeech(question.id, describe.forms, self._config.language)
        return [*self._crowd_in(waiting), measure]

    def _crowd_in(self, waiting: Waiting) -> list[Effect]:
        crowded = self._board.add(waiting)
        for dropped in crowded:
            self._programme.unsay(dropped.describe)
        return [*crowded]

    def _settle(self) -> list[Effect]:
        if not self._board.ready:
            return []
        settled = self._board.settle(
            lambda offer: self._programme.judge(offer, self._clock), over=self._clock.over
        )
        return [self._outcome(waiting, outcome) for waiting, outcome in settled]

    def _outcome(self, waiting: Waiting, outcome: Placed | DropReason) -> Effect:
        if isinstance(outcome, Placed):
            return self._programme.announce(waiting, outcome, self._clock.edge)
        self._programme.unsay(waiting.describe)
        return Dropped(self._clock.now, outcome, waiting.describe)
