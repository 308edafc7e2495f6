"""The Session, one pinned test a rule; and that it does not matter how the media was cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import AdEvent
from strad.decision import Decision, Wait, WaitReason
from strad.speech import GapSource, spoken_ms
from strad.timeline import Epoch, Interval, Ms, merge
from streaming.announcement import Dropped, DropReason, Withdrawn
from streaming.config import Pace, Placement, StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech, WindowClosed
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SpeechKnown
from streaming.media import EpochStarted, MediaNotice
from streaming.session import Session
from streaming.window import Window
from tests.fakes import Programme, chunk, describe, frame

pytestmark = pytest.mark.unit

WAIT = Wait(WaitReason.NOTHING_NEW)
Answer = Callable[[Window], Decision]


def session(**changes: object) -> Session:
    config = StreamConfig(**changes)  # type: ignore[arg-type]
    return Session(config, describer="fake", draft=False)


def play(machine: Session, facts: list[Fact], answer: Answer, *, end: bool = True) -> list[Effect]:
    """Feed the facts; the describer and the voice answer at once."""
    effects: list[Effect] = []
    todo: list[Fact] = [*facts, *([MediaEnded()] if end else [])]
    while todo:
        new = machine.feed(todo.pop(0))
        effects += new
        for effect in reversed(new):
            if isinstance(effect, AskDescriber):
                todo.insert(0, Answered(effect.question, answer(effect.window)))
            if isinstance(effect, MeasureSpeech):
                lengths = tuple(spoken_ms(form) for form in effect.forms)
                todo.insert(0, Measured(effect.question, lengths))
    return effects


def asked(effects: list[Effect]) -> list[Window]:
    return [e.window for e in effects if isinstance(e, AskDescriber)]


def events(effects: list[Effect]) -> list[AdEvent]:
    return [e for e in effects if isinstance(e, AdEvent)]


def drops(effects: list[Effect]) -> list[DropReason]:
    return [e.reason for e in effects if isinstance(e, Dropped)]


def once(at: Ms, text: str, start: Ms, end: Ms, *shorter: str) -> Answer:
    """Describes only in the window that ends at ``at``."""

    def answer(window: Window) -> Decision:
        if window.when.end != at:
            return WAIT
        return describe(text, start, end, *shorter)

    return answer


EVERY = {"pace": Pace.EVERY_WINDOW}


def test_it_asks_every_stride_that_touches_a_free_span() -> None:
    programme = Programme(12_000, [(2_600, 6_400)])
    effects = play(session(**EVERY), programme.facts(), lambda _: WAIT)
    assert [w.when.end for w in asked(effects)] == [2_000, 4_000, 8_000, 10_000, 12_000]
    assert asked(effects)[1].gap == Interval(0, 2_600)
    assert asked(effects)[2].gap == Interval(6_400, 8_000)


def test_a_free_span_shorter_than_half_a_second_is_not_asked_about() -> None:
    for pause, count in ((499, 0), (500, 1)):
        speech = [(0, 1_000), (1_000 + pause, 2_000)]
        effects = play(session(**EVERY), Programme(2_000, speech).facts(), lambda _: WAIT)
        assert len(asked(effects)) == count


def test_time_taken_by_ad_is_not_free() -> None:
    long = " ".join(f"word{n}" for n in range(10))
    machine = session(**EVERY, delay=12_000)
    effects = play(machine, Programme(12_000).facts(), once(4_000, long, 2_000, 4_000))
    (event,) = events(effects)
    assert event.cue.when == Interval(2_000, 6_000)
    ends = [w.when.end for w in asked(effects)]
    assert 8_000 in ends
    assert machine.stats().events == 1


def test_a_predicted_end_past_the_cursor_moves_the_next_window() -> None:
    effects = play(
        session(**EVERY, placement=Placement.OFF),
        Programme(9_000).facts(),
        once(2_000, "A door opens.", 1_000, 3_500),
    )
    ends = [w.when.end for w in asked(effects)]
    assert ends == [2_000, 5_500, 7_500, 9_000]
    closed = [e for e in effects if isinstance(e, WindowClosed)]
    assert [c.advance for c in closed] == [3_500, 2_000, 2_000, 1_500]


def test_with_placement_off_the_prediction_is_announced_as_it_is() -> None:
    speech = [(1_000, 9_000)]
    effects = play(
        session(**EVERY, placement=Placement.OFF),
        Programme(10_000, speech).facts(),
        once(2_000, "A door opens.", 1_200, 3_500),
    )
    (event,) = events(effects)
    assert event.cue.when == Interval(1_200, 3_500)
    assert event.lag_cursor == 800
    assert event.rate == 1.0


def test_a_description_is_spoken_in_the_gap_nearest_its_moment() -> None:
    programme = Programme(20_000, [(3_000, 7_000)])
    effects = play(session(**EVERY), programme.facts(), once(4_000, "A door opens.", 2_500, 4_000))
    (event,) = events(effects)
    assert event.cue.when == Interval(7_250, 8_450)
    assert not event.provisional
    assert event.window_end == 4_000


def test_what_does_not_fit_any_gap_is_dropped_with_its_reason() -> None:
    long = " ".join(f"word{n}" for n in range(20))
    programme = Programme(40_000, [(4_500, 30_000)])
    effects = play(session(**EVERY), programme.facts(), once(4_000, long, 2_500, 4_000))
    assert events(effects) == []
    assert drops(effects) == [DropReason.TOO_LONG]


def test_a_shorter_form_is_spoken_where_the_long_one_does_not_fit() -> None:
    long = " ".join(f"word{n}" for n in range(20))
    programme = Programme(40_000, [(4_500, 30_000)])
    effects = play(session(**EVERY), programme.facts(), once(4_000, long, 2_500, 4_000, "A cat."))
    (event,) = events(effects)
    assert event.cue.text == "A cat."
    assert event.forms == ("A cat.", long)


def test_what_was_said_lately_is_not_said_again() -> None:
    machine = session(**EVERY)
    effects = play(
        machine,
        Programme(20_000).facts(),
        lambda w: describe("A cat sits on a chair.", w.when.end - 1_000, w.when.end),
    )
    assert len(events(effects)) == 1
    assert set(drops(effects)) == {DropReason.REPEAT}
    assert machine.stats().drops[DropReason.REPEAT] == len(drops(effects))


def test_history_tells_the_describer_what_is_decided_even_before_it_has_a_place() -> None:
    programme = Programme(12_000, [(1_000, 5_000)])
    effects = play(session(**EVERY), programme.facts(), once(2_000, "A door opens.", 500, 2_000))
    later = [w for w in asked(effects) if w.when.end > 2_000]
    assert later[0].when.end == 6_000
    assert later[0].history[0].text == "A door opens."
    assert events(effects)[0].cue.when.start == 5_250


def test_what_was_dropped_may_be_said_later() -> None:
    long = " ".join(f"word{n}" for n in range(20))
    programme = Programme(60_000, [(4_500, 24_000)])

    def answer(window: Window) -> Decision:
        if window.when.end in (4_000, 40_000):
            return describe(long, window.when.end - 2_000, window.when.end)
        return WAIT

    effects = play(session(**EVERY), programme.facts(), answer)
    assert drops(effects) == [DropReason.TOO_LONG]
    assert len(events(effects)) == 1


def test_live_only_one_question_is_open_and_the_next_is_about_the_newest_media() -> None:
    machine = session(pace=Pace.NEWEST)
    effects = play_media(machine, Programme(9_000).facts())
    (first,) = asked(effects)
    assert first.when.end == 2_000
    (second,) = asked(machine.feed(Answered(1, WAIT)))
    assert second.when.end == machine.clock.now == 9_000
    assert machine.stats().skipped == 2


def play_media(machine: Session, facts: list[Fact]) -> list[Effect]:
    return [effect for fact in facts for effect in machine.feed(fact)]


def test_with_two_in_flight_answers_are_applied_in_media_order() -> None:
    machine = session(pace=Pace.NEWEST, in_flight=2)
    play_media(machine, Programme(4_000).facts())
    assert machine.feed(Answered(2, describe("Second.", 3_000, 4_000))) == []
    effects = machine.feed(Answered(1, describe("First.", 1_000, 2_000)))
    assert [e.forms[0] for e in effects if isinstance(e, MeasureSpeech)] == ["First.", "Second."]


def test_with_no_delay_the_open_gap_is_taken_provisionally_and_yields_to_speech() -> None:
    machine = session(pace=Pace.NEWEST, delay=0)
    effects = play(
        machine,
        Programme(3_000, hearing_lag=300).facts(),
        once(2_000, "A door opens slowly.", 500, 2_000),
        end=False,
    )
    (event,) = events(effects)
    assert event.provisional
    assert event.cue.when.start >= 2_000
    assert event.lag_emit == 0
    speech = Interval(3_100, 3_500)
    effects = [
        *machine.feed(chunk(3_000, 500)),
        *machine.feed(SpeechKnown(3_500, (speech,))),
    ]
    (withdrawn,) = [e for e in effects if isinstance(e, Withdrawn)]
    assert (withdrawn.event_id, withdrawn.at) == (event.id, speech.start)


def test_with_the_delay_covering_it_nothing_is_provisional() -> None:
    effects = play(
        session(pace=Pace.NEWEST, delay=12_000),
        Programme(60_000, [(9_000, 12_000)], hearing_lag=300).facts(),
        lambda w: describe(f"Thing {w.when.end} falls.", w.when.end - 1_500, w.when.end),
    )
    assert len(events(effects)) > 15
    assert not any(e.provisional or e.late for e in events(effects))


def test_a_late_answer_is_not_spoken_in_the_viewers_past() -> None:
    machine = session(pace=Pace.NEWEST, delay=5_000)
    play_media(machine, Programme(30_000).facts())
    effects = machine.feed(Answered(1, describe("A door opens.", 500, 2_000)))
    effects += machine.feed(Measured(1, (1_000,)))
    assert drops(effects) == [DropReason.TOO_LATE]


def test_the_end_of_the_media_settles_everything() -> None:
    machine = session(**EVERY)
    effects = play(
        machine,
        Programme(5_000, [(3_000, 5_000)]).facts(),
        once(4_000, "A door opens slowly before him.", 3_500, 4_000),
    )
    assert machine.done
    assert drops(effects) == [DropReason.NO_GAP]


def test_an_epoch_marks_the_events_and_cuts_the_window() -> None:
    machine = session(**EVERY)
    facts = Programme(10_000).facts()
    jump = Epoch(stream=6_000, player=600_000)
    facts.insert(facts.index(frame(6_000)), EpochStarted(jump))
    effects = play(machine, facts, once(8_000, "A door opens.", 6_500, 8_000))
    (event,) = events(effects)
    assert event.epoch == jump
    assert [f.t for f in asked(effects)[3].frames] == [6_000, 7_000, 8_000]


def test_a_notice_changes_nothing() -> None:
    machine = session()
    assert machine.feed(MediaNotice("no-audio", 0, "There is no sound.")) == []


def test_gaps_may_come_from_the_transcript_alone() -> None:
    machine = session(**EVERY, gaps=GapSource.TRANSCRIPT)
    effects = play(machine, Programme(8_000, [(0, 6_000)]).facts(), lambda _: WAIT)
    assert [w.when.end for w in asked(effects)] == [8_000]


def test_across_a_chunk_border_nothing_is_remembered() -> None:
    machine = session(**EVERY, placement=Placement.OFF, chunk=11_000)
    effects = play(
        machine,
        Programme(20_000, [(10_000, 10_400)]).facts(),
        lambda w: describe(f"thing {w.when.end}", w.when.end - 500, w.when.end + 300),
    )
    at_border = [w for w in asked(effects) if w.when.end > 11_000]
    assert any(w.when.end == 11_000 for w in asked(effects))
    assert at_border[0].when == Interval(11_000, 13_000)
    assert [f.t for f in at_border[0].frames] == [11_000, 12_000, 13_000]
    assert at_border[0].history == ()
    assert at_border[1].history[0].text == "thing 13000"
    assert all(not w.words for w in at_border)


cuts = st.sampled_from([20, 32, 100, 250, 999, 2_000, 7_000])
speeches = st.lists(
    st.tuples(st.integers(0, 40_000), st.integers(300, 6_000)).map(lambda p: (p[0], p[0] + p[1])),
    max_size=6,
)


@settings(max_examples=60)
@given(speeches, cuts, cuts, st.integers(2, 14), st.sampled_from([0, 3_000, 12_000]))
def test_the_same_media_cut_differently_gives_the_same_events(
    speech: list[tuple[Ms, Ms]], one: Ms, other: Ms, words: int, delay: Ms
) -> None:
    merged = [(s.start, s.end) for s in _merged(speech)]

    def answer(window: Window) -> Decision:
        n = window.when.end
        text = " ".join(f"w{n}x{k}" for k in range(words))
        return describe(text, max(0, n - 3_000), n, f"w{n}")

    told = [
        play(session(**EVERY, delay=delay), Programme(45_000, merged, cut=cut).facts(), answer)
        for cut in (one, other)
    ]
    first, second = ([e for e in effects if not isinstance(e, MeasureSpeech)] for effects in told)
    # Compared one by one: a diff of the whole lists takes minutes to print.
    assert len(first) == len(second)
    assert all(_outline(a) == _outline(b) for a, b in zip(first, second, strict=True))
    assert asked(first)


def _merged(speech: list[tuple[Ms, Ms]]) -> list[Interval]:
    return merge(Interval(a, min(b, 45_000)) for a, b in speech)


def _outline(effect: Effect) -> object:
    """Everything but the sound chunks, which are cut as they came."""
    if isinstance(effect, AskDescriber):
        w = effect.window
        return (w.when, w.frames, w.words, w.history, w.gap, w.speech)
    return effect
