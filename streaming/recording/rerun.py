"""Running a recording again, without a model: the same facts in the same order. Pure.

As it was, or with settings of placement, delay and protection changed: then the recorded answers
are given to the questions about the same windows, when they came; a window that nobody was asked
about then has no answer, and is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from strad.cues import AdEvent
from strad.decision import Decision, Wait, WaitReason
from strad.speech import spoken_ms
from strad.timeline import Ms
from streaming.announcement import Announcement, Dropped, WindowAsked, Withdrawn
from streaming.config import Pace, StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured
from streaming.media import MediaNotice
from streaming.recording.lines import Header
from streaming.session import Session
from streaming.settlement import Witness

Step: TypeAlias = tuple[Fact, list[Effect]]
"""A fact, and what the Session made of it."""

Cost: TypeAlias = tuple[float, tuple[tuple[str, float], ...]]
"""Wall seconds of an answer, and their stages."""


def session_of(
    header: Header, config: StreamConfig | None = None, witness: Witness | None = None
) -> Session:
    """A Session as it began."""
    return Session(
        config or header.config,
        describer=header.describer,
        draft=header.draft,
        memory=header.memory,
        witness=witness,
    )


def steps(session: Session, facts: Iterable[Fact]) -> Iterator[Step]:
    """Feed what was fed."""
    for fact in facts:
        yield fact, session.feed(fact)


def announcements(
    session: Session, steps: Iterable[Step], costs: Iterable[Cost] = ()
) -> Iterator[Announcement]:
    """What was announced, in order; each window with what its answer cost then, where known."""
    spent = iter(costs)
    for fact, effects in steps:
        if isinstance(fact, MediaNotice):
            yield fact
        for effect in effects:
            match effect:
                case WindowClosed():
                    yield _asked(effect, session.clock.live_edge, next(spent, (0.0, ())))
                case AdEvent() | Withdrawn() | Dropped():
                    yield effect
                case _:
                    pass


def _asked(closed: WindowClosed, edge: Ms, cost: Cost) -> WindowAsked:
    wall, stages = cost
    return WindowAsked(closed.cursor, closed.advance, wall, closed.decision, edge, stages)


@dataclass(slots=True)
class OtherSettings:
    """The same facts and answers under another config."""

    session: Session
    unanswered: int = 0
    """Windows asked about now that nobody was asked about then."""
    _asked: dict[int, Ms] = field(default_factory=dict)
    """The cursor of each question then."""
    _open: dict[Ms, int] = field(default_factory=dict)
    """The question now open about each cursor."""
    _answers: dict[Ms, Decision] = field(default_factory=dict)
    """What came then, by cursor, for windows that are asked about later than they were."""
    _lengths: dict[str, Ms] = field(default_factory=dict)

    def known(self, recorded: Iterable[Step]) -> list[Fact]:
        """Look through the run as it was; return what happened outside the describer.

        Answers stay in their places, for where they are not asked for at once.
        """
        facts: list[Fact] = []
        forms: dict[int, tuple[str, ...]] = {}
        for fact, effects in recorded:
            for effect in effects:
                if isinstance(effect, AskDescriber):
                    self._asked[effect.question] = effect.window.when.end
                elif isinstance(effect, MeasureSpeech):
                    forms[effect.question] = effect.forms
            if isinstance(fact, Measured):
                self._lengths.update(zip(forms[fact.question], fact.lengths, strict=True))
                continue
            if isinstance(fact, Answered):
                self._answers[self._asked[fact.question]] = fact.decision
            facts.append(fact)
        return facts

    def run(self, facts: Iterable[Fact]) -> Iterator[Step]:
        """Feed them, and give what is asked for."""
        for fact in facts:
            if isinstance(fact, Answered):
                now = self._open.pop(self._asked[fact.question], None)
                if now is None:
                    continue
                fact = Answered(now, fact.decision)
            yield from self._fed(fact)

    def _fed(self, fact: Fact) -> Iterator[Step]:
        todo = [fact]
        while todo:
            fact = todo.pop(0)
            effects = self.session.feed(fact)
            yield fact, effects
            for effect in effects:
                if isinstance(effect, MeasureSpeech):
                    lengths = (self._length(form) for form in effect.forms)
                    todo.append(Measured(effect.question, tuple(lengths)))
                elif isinstance(effect, AskDescriber) and (reply := self._reply(effect)):
                    todo.append(reply)

    def _reply(self, ask: AskDescriber) -> Answered | None:
        """The answer, where it is due at once."""
        cursor = ask.window.when.end
        known = self._answers.get(cursor)
        if known is None:
            self.unanswered += 1
            return Answered(ask.question, Wait(WaitReason.DESCRIBER_FAILED))
        if self.session.config.pace is Pace.EVERY_WINDOW:
            return Answered(ask.question, known)
        self._open[cursor] = ask.question
        return None

    def _length(self, form: str) -> Ms:
        """As the voice said then; a form it was not asked about, at 150 words a minute."""
        return self._lengths.get(form, spoken_ms(form))
