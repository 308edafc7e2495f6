"""Any order of facts keeps the rules of the house: a state machine over the Session."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from strad.cues import AdEvent
from strad.decision import Decision, Describe, Wait, WaitReason
from strad.speech import GapSource, Word
from strad.timeline import Interval, Ms
from streaming.announced import TOUCH
from streaming.announcement import Dropped, Withdrawn
from streaming.config import Pace, StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Measured, MediaEnded
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.in_flight import MOST
from streaming.session import Session
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit

configs = st.builds(
    StreamConfig,
    delay=st.sampled_from([0, 3_000, 12_000]),
    pace=st.sampled_from(Pace),
    in_flight=st.none() | st.integers(1, 3),
    gaps=st.sampled_from([GapSource.VAD, GapSource.UNION]),
)


class AnyProgramme(RuleBasedStateMachine):
    """Feeds media, speech, answers and lengths as they come, and checks each effect."""

    def __init__(self) -> None:
        super().__init__()
        self.edge: Ms = 0
        self.speech: list[Interval] = []
        self.questions: dict[int, AskDescriber] = {}
        self.to_measure: dict[int, MeasureSpeech] = {}
        self.standing: dict[str, AdEvent] = {}
        self.seqs: list[int] = []
        self.said = 0
        self.ended = False

    @initialize(config=configs)
    def begin(self, config: StreamConfig) -> None:
        self.config = config
        self.session = Session(config, describer="fake", draft=True)

    def take(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case AskDescriber():
                    self.check_question(effect)
                    self.questions[effect.question] = effect
                case MeasureSpeech():
                    self.to_measure[effect.question] = effect
                case AdEvent():
                    self.check_event(effect)
                    self.standing[effect.id] = effect
                case Withdrawn(event_id=event_id):
                    del self.standing[event_id]
                case WindowClosed() as closed:
                    assert closed.advance > 0
                case Dropped():
                    pass

    def check_question(self, ask: AskDescriber) -> None:
        window = ask.window
        limit = (self.config.in_flight or MOST) if self.config.pace is Pace.NEWEST else 1
        assert len(self.questions) < limit, "too many questions in flight"
        assert window.when.end <= self.session.clock.now, "asked about the future"
        if self.config.pace is Pace.NEWEST:
            assert window.when.end == self.session.clock.now, "asked about stale media"
        assert all(f.t <= window.when.end for f in window.frames)
        assert all(w.when.end <= window.when.end for w in window.words)
        assert window.gap is not None
        assert window.gap.duration >= self.config.min_gap

    def check_event(self, event: AdEvent) -> None:
        cue = event.cue.when
        self.seqs.append(event.seq)
        edge = cue.start + event.lag_emit
        lead = self.config.lead if self.config.delay else 0
        assert cue.start >= edge - self.config.delay + lead, "spoken into the viewers' past"
        assert not event.late
        assert not any(cue.overlaps(span) for span in self.speech if span.start <= edge), (
            "on speech"
        )
        assert not any(cue.overlaps(e.cue.when) for e in self.standing.values()), "over itself"
        if not event.provisional:
            assert cue.end <= self.session.clock.now, "a firm cue in time that is not known"
        if self.config.delay == 12_000 and cue.duration <= 8_000:
            assert not event.provisional

    def spoken_before(self, t: Ms) -> list[Interval]:
        return [Interval(s.start, min(s.end, t)) for s in self.speech if s.start < t]

    @precondition(lambda self: not self.ended)
    @rule(step=st.integers(1, 3_000), lag=st.integers(0, 500))
    def nobody_speaks(self, step: Ms, lag: Ms) -> None:
        self.arrive(step)
        self.hear(max(0, self.edge - lag), None)

    @precondition(lambda self: not self.ended)
    @rule(step=st.integers(1, 3_000))
    def media_comes_before_it_is_heard(self, step: Ms) -> None:
        self.arrive(step)

    @precondition(lambda self: not self.ended)
    @rule(length=st.integers(200, 3_000))
    def someone_speaks(self, length: Ms) -> None:
        start = self.edge
        self.arrive(length)
        self.hear(self.edge, Interval(start, self.edge))

    def arrive(self, step: Ms) -> None:
        for t in range(-(-self.edge // 1000) * 1000, self.edge + step, 1000):
            self.take(self.session.feed(frame(t)))
        self.take(self.session.feed(chunk(self.edge, step)))
        self.edge += step

    def hear(self, until: Ms, speech: Interval | None) -> None:
        spans = (speech,) if speech else ()
        self.speech += spans
        self.take(self.session.feed(SpeechKnown(until, spans)))
        words = (Word(speech, "word"),) if speech else ()
        self.take(self.session.feed(WordsKnown(until, words)))

    @precondition(lambda self: self.questions)
    @rule(
        data=st.data(),
        wait=st.booleans(),
        start=st.integers(0, 8_000),
        length=st.integers(0, 6_000),
        forms=st.integers(1, 3),
    )
    def the_describer_answers(
        self, data: st.DataObject, wait: bool, start: Ms, length: Ms, forms: int
    ) -> None:
        number = data.draw(st.sampled_from(sorted(self.questions)))
        ask = self.questions.pop(number)
        decision: Decision = Wait(WaitReason.NOTHING_NEW)
        if not wait:
            self.said += 1
            first = max(0, ask.window.when.end - start)
            texts = tuple(f"thing{self.said} {'goes on ' * n}" for n in range(forms))
            decision = Describe(texts, Interval(first, first + length))
        self.take(self.session.feed(Answered(number, decision)))

    @precondition(lambda self: self.to_measure)
    @rule(data=st.data(), shortest=st.integers(300, 5_000))
    def the_voice_measures(self, data: st.DataObject, shortest: Ms) -> None:
        number = data.draw(st.sampled_from(sorted(self.to_measure)))
        measure = self.to_measure.pop(number)
        lengths = tuple(shortest * (n + 1) for n in range(len(measure.forms)))
        self.take(self.session.feed(Measured(number, lengths)))

    @precondition(lambda self: not self.ended)
    @rule()
    def the_media_ends(self) -> None:
        self.ended = True
        self.hear(self.edge, None)
        self.take(self.session.feed(MediaEnded()))

    @precondition(lambda self: self.ended and self.session.done)
    @rule()
    def after_the_end_nothing_happens(self) -> None:
        assert self.session.feed(SpeechKnown(self.edge)) == []

    @invariant()
    def events_are_numbered_without_holes(self) -> None:
        assert self.seqs == list(range(1, len(self.seqs) + 1))

    @invariant()
    def what_will_still_be_heard_is_not_over_known_speech(self) -> None:
        if not hasattr(self, "session"):
            return
        for event in self.standing.values():
            if event.cue.when.end <= self.session.clock.playhead:
                continue
            known = self.spoken_before(self.session.clock.now)
            shared = [event.cue.when.intersect(span) for span in known]
            assert all(s is None or s.duration < TOUCH for s in shared)

    @invariant()
    def it_is_done_when_nothing_is_left_to_do(self) -> None:
        if self.ended and not self.questions and not self.to_measure:
            assert self.session.done


TestAnyProgramme = AnyProgramme.TestCase
TestAnyProgramme.settings = settings(max_examples=300, stateful_step_count=50)
