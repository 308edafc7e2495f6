"""A Session that goes on from another's memory does what the other would have done."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from strad.cues import AdEvent
from strad.decision import Decision, Describe, Wait, WaitReason
from strad.speech import GapSource
from strad.timeline import Interval
from streaming.announcement import Dropped, DropReason, Withdrawn, WithdrawReason
from streaming.config import StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SpeechKnown, Unheard
from streaming.memory import Memory
from streaming.session import Session
from streaming.window import Window
from tests.fakes import Programme, chunk, frame

pytestmark = pytest.mark.unit

MEMORY = TypeAdapter(Memory)
SPEECH = st.lists(
    st.tuples(st.integers(0, 38_000), st.integers(300, 4_000)).map(lambda s: (s[0], s[0] + s[1])),
    max_size=5,
)


def session(memory: Memory | None = None, **config: object) -> Session:
    return Session(StreamConfig(**config), describer="fake", draft=True, memory=memory)  # type: ignore[arg-type]


def answer(window: Window) -> Decision:
    """Depends on what a memory holds, and on no picture or sound."""
    if window.when.end % 3 == 0:
        return Wait(WaitReason.NOTHING_NEW)
    said = len(window.history) % 4
    text = f"thing{window.when.end // 2_000 % 5} does{said}"
    start = max(0, window.when.end - 1_500)
    return Describe((text, f"{text} and more"), Interval(start, window.when.end))


class Player:
    """Feeds a session and answers what it asks at once."""

    def __init__(self, machine: Session) -> None:
        self.session = machine
        self.effects: list[Effect] = []

    def play(self, fact: Fact) -> None:
        todo = self.session.feed(fact)
        while todo:
            effect = todo.pop(0)
            self.effects.append(without_media(effect))
            match effect:
                case AskDescriber(question, window):
                    todo += self.session.feed(Answered(question, answer(window)))
                case MeasureSpeech(question, forms):
                    todo += self.session.feed(Measured(question, tuple(900 for _ in forms)))
                case _:
                    pass

    @property
    def ads(self) -> list[AdEvent]:
        return [effect for effect in self.effects if isinstance(effect, AdEvent)]


def without_media(effect: Effect) -> Effect:
    """The effect, without the pictures and sound that a memory does not hold."""
    if not isinstance(effect, AskDescriber):
        return effect
    return replace(effect, window=replace(effect.window, frames=(), audio=()))


def through_json(memory: Memory) -> Memory:
    return MEMORY.validate_json(MEMORY.dump_json(memory))


@given(
    speech=SPEECH,
    at=st.floats(0.05, 0.95),
    delay=st.sampled_from([0, 3_000, 12_000]),
    gaps=st.sampled_from(list(GapSource)),
)
def test_it_goes_on_as_if_nothing_had_happened(
    speech: list[tuple[int, int]], at: float, delay: int, gaps: GapSource
) -> None:
    facts = [*Programme(40_000, speech, cut=500, hearing_lag=300).facts(), MediaEnded()]
    cut = int(at * len(facts))
    whole = Player(session(delay=delay, gaps=gaps))
    for fact in facts[:cut]:
        whole.play(fact)
    memory = whole.session.remember()
    assert through_json(memory) == memory
    before = len(whole.effects)
    other = Player(session(through_json(memory), delay=delay, gaps=gaps))
    for fact in facts[cut:]:
        whole.play(fact)
        other.play(fact)
    assert other.effects == whole.effects[before:]
    assert other.session.stats() == whole.session.stats()
    assert other.session.done


@given(speech=SPEECH, at=st.floats(0.05, 0.95), seconds=st.integers(0, 20))
def test_what_was_said_since_is_learned_from_the_log(
    speech: list[tuple[int, int]], at: float, seconds: int
) -> None:
    """The memory is ``seconds`` old when the process dies; its log is complete."""
    facts = Programme(40_000, speech, cut=500).facts()
    cut = int(at * len(facts))
    first = Player(session())
    memory, taken = first.session.remember(), 0
    for fact in facts[:cut]:
        first.play(fact)
        if first.session.clock.live_edge <= memory.reached.live_edge + seconds * 1_000:
            continue
        memory, taken = first.session.remember(), len(first.effects)
    for effect in first.effects[taken:]:
        if isinstance(effect, AdEvent):
            memory = memory.announced(effect)
        if isinstance(effect, Withdrawn):
            memory = memory.withdrawn(effect.event_id)
    edge = first.session.clock.live_edge
    second = Player(session(memory))
    second.play(Unheard(Interval(memory.speech.vad_until, max(edge, memory.speech.vad_until))))
    for fact in Programme(40_000, speech, cut=500).facts():
        if not isinstance(fact, Unheard) and _moment(fact) >= edge:
            second.play(fact)
    second.play(MediaEnded())
    ads = [*first.ads, *second.ads]
    assert [ad.seq for ad in ads] == list(range(1, len(ads) + 1))
    withdrawn = {e.event_id for e in (*first.effects, *second.effects) if isinstance(e, Withdrawn)}
    standing = sorted(ad.cue.when for ad in ads if ad.id not in withdrawn)
    assert all(a.end <= b.start for a, b in itertools.pairwise(standing))
    missed = Interval(memory.speech.vad_until, max(edge, memory.speech.vad_until))
    assert not any(ad.cue.when.overlaps(missed) for ad in second.ads)
    assert second.session.stats().events == len(ads)


def _moment(fact: Fact) -> int:
    for name in ("t", "until"):
        if hasattr(fact, name):
            return int(getattr(fact, name))
    return 0


def test_media_that_never_came_is_neither_asked_about_nor_spoken_in() -> None:
    machine = Player(session(delay=0))
    for fact in Programme(6_000).facts():
        machine.play(fact)
    asked = len([e for e in machine.effects if isinstance(e, AskDescriber)])
    machine.play(frame(30_000))
    machine.play(chunk(30_000, 1_000))
    machine.play(Unheard(Interval(6_000, 30_000)))
    assert machine.session.cursor <= 30_000
    assert machine.session.stats().skipped == 0
    assert len([e for e in machine.effects if isinstance(e, AskDescriber)]) == asked
    assert not any(ad.cue.when.overlaps(Interval(6_000, 30_000)) for ad in machine.ads)


@pytest.mark.parametrize(
    ("spoken", "reason"),
    [((), WithdrawReason.UNHEARD), ((Interval(6_000, 6_400),), WithdrawReason.SPEECH)],
)
def test_what_lies_on_a_hole_is_taken_back_for_that(
    spoken: tuple[Interval, ...], reason: WithdrawReason
) -> None:
    first = Player(session(delay=12_000))
    for fact in Programme(6_000).facts():
        first.play(fact)
    told = first.ads[-1]
    cue = replace(told.cue, when=Interval(5_500, 7_500))
    event = replace(told, id="ad-99", seq=told.seq + 1, cue=cue, provisional=True)
    machine = Player(session(first.session.remember().announced(event), delay=12_000))
    machine.play(chunk(6_000, 400))
    machine.play(SpeechKnown(6_400, spoken))
    machine.play(chunk(8_000, 1_000))
    machine.play(Unheard(Interval(6_400, 8_000)))
    machine.play(SpeechKnown(9_000))
    withdrawn = [e for e in machine.effects if isinstance(e, Withdrawn)]
    assert [(e.event_id, e.reason) for e in withdrawn] == [(event.id, reason)]


def test_nothing_said_before_is_said_again() -> None:
    first = Player(session())
    for fact in Programme(20_000).facts():
        first.play(fact)
    told = first.ads[-1]
    second = session(through_json(first.session.remember()))
    asked = [
        effect
        for fact in Programme(30_000).facts()
        if _moment(fact) >= 20_000
        for effect in second.feed(fact)
        if isinstance(effect, AskDescriber)
    ]
    question = asked[0]
    assert told.cue.text.split()[0] in {c.text.split()[0] for c in question.window.history}
    again = Describe(told.forms, Interval(19_000, 20_000))
    (dropped, *_) = second.feed(Answered(question.question, again))
    assert isinstance(dropped, Dropped)
    assert dropped.reason is DropReason.REPEAT
