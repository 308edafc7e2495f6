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
from streaming.clock import MediaClock
from streaming.config import Pace, StreamConfig
from streaming.cursor import Cursor
from streaming.effects import AskDescriber, Effect, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SoundsKnown, SpeechKnown, Unheard, WordsKnown
from streaming.in_flight import InFlight
from streaming.media import AudioChunk, EpochStarted, MediaNotice, VideoFrame
from streaming.memory import Memory
from streaming.programme import Programme
from streaming.questions import Question, Questions
from streaming.settlement import Witness
from streaming.speaker import Speaker
from streaming.stats import SessionStats, Tally
from streaming.usefulness import useful_for


class Session:
    """One stream's state. Feed it facts; carry out the effects; stop when ``done``."""

    def __init__(
        self,
        config: StreamConfig,
        *,
        describer: str,
        draft: bool,
        memory: Memory | None = None,
        witness: Witness | None = None,
    ) -> None:
        """``memory``: of a Session that this one goes on for, with the same config.

        ``witness`` is told what became of each description, and on what ground.
        """
        known = memory or Memory()
        self._config = config
        self._clock = MediaClock(config, known.reached, known.promised)
        self._cursor = Cursor(config, known.cursor, known.skipped)
        self._programme = Programme(config, known, describer=describer, draft=draft)
        self._questions = Questions(known.question)
        self._in_flight = InFlight(config)
        self._useful_for = useful_for(config)
        self._speaker = Speaker(
            config, self._programme, self._clock, known.waiting, witness=witness
        )
        self._tally = Tally(known.stats)

    @property
    def done(self) -> bool:
        """Whether the media has ended and everything decided has been announced or dropped."""
        return self._clock.over and not self._questions.open and self._speaker.idle

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

    def remember(self) -> Memory:
        """What another Session needs to go on from here."""
        programme = self._programme
        return Memory(
            reached=self._clock.reached,
            promised=self._clock.promised,
            cursor=self._cursor.at,
            skipped=self._cursor.skipped,
            question=self._questions.last,
            number=programme.announced.number,
            epoch=programme.epoch,
            since=programme.recent.since,
            speech=programme.speech.so_far,
            words=programme.recent.words,
            protected=programme.protected.so_far,
            names=programme.names.known,
            events=programme.announced.events,
            said=programme.said.texts,
            waiting=tuple(w for w in self._speaker.waiting if w.lengths is not None),
            stats=self.stats(),
        )

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
            case SpeechKnown() | WordsKnown() | SoundsKnown() | Unheard():
                self._programme.hear(fact)
            case Answered():
                self._in_flight.answered(
                    self._clock.live_edge - self._questions.asked_at(fact.question)
                )
                answered = self._questions.answer(fact.question, fact.decision)
                return [effect for closed in answered for effect in self._apply(*closed)]
            case Measured():
                return self._speaker.measured(fact)
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
        known = self._clock.known(self._programme.speech, self._programme.protected)

        def halted() -> bool:
            """Whether an answer, or the length of one, must come before time goes on."""
            return every_window and (self._questions.open > 0 or self._speaker.measuring)

        while not halted() and self._clock.tick(known):
            effects += self._programme.take_back(self._clock)
            effects += self._speaker.settle()
            if every_window:
                effects += self._ask()
        if not every_window or self._clock.over:
            effects += self._ask()
        return [*effects, *self._speaker.settle()] if self._clock.over else effects

    def _ask(self) -> list[Effect]:
        if self._questions.open >= self._in_flight.limit:
            return []
        self._cursor.pass_over(self._programme.speech.missed_to)
        step = self._cursor.step(self._clock.now, over=self._clock.over)
        if step is None:
            return []
        self._programme.forget(step.end)
        gap = self._programme.free_span(step)
        if gap is None:
            self._tally.no_gap += 1
            return []
        edge = self._clock.live_edge
        question = self._questions.ask(step, self._programme.epoch, edge)
        useful = None if self._useful_for is None else max(0, step.end + self._useful_for - edge)
        return [AskDescriber(question, self._programme.window(step, gap), useful)]

    def _apply(self, question: Question, decision: Decision) -> list[Effect]:
        step = question.step
        end = self._cursor.jump(step.end, decision)
        said: list[Effect] = []
        if isinstance(decision, Describe):
            self._programme.read(decision, question)
            said = self._speaker.take(question, decision)
        return [*said, WindowClosed(question.id, step.end, end - step.start, decision)]
