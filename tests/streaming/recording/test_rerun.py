"""A recorded run, run again from its facts, is the same run: whatever happened in it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import AdEvent
from strad.decision import Decision, Describe, Wait, WaitReason
from strad.speech import GapSource, Protect, Word, spoken_ms
from strad.timeline import Epoch, Interval, Ms
from streaming.announcement import Withdrawn
from streaming.config import Pace, Placement, StreamConfig
from streaming.effects import AskDescriber, Effect, MeasureSpeech
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SoundsKnown, SpeechKnown, WordsKnown
from streaming.media import EpochStarted
from streaming.memory import Memory
from streaming.recording.lines import Header, effect_line
from streaming.recording.reading import Recording
from streaming.recording.recorded_session import RecordedSession
from streaming.recording.recorder import Recorder
from streaming.recording.rerun import OtherSettings, announcements, session_of, steps
from tests.fakes import chunk, frame

pytestmark = pytest.mark.unit

configs = st.builds(
    StreamConfig,
    delay=st.sampled_from([0, 3_000, 12_000]),
    pace=st.sampled_from(Pace),
    in_flight=st.sampled_from([None, 1, 2]),
    gaps=st.sampled_from([GapSource.VAD, GapSource.UNION]),
    placement=st.sampled_from(Placement),
    protect=st.just(Protect.SPEECH),
) | st.builds(
    StreamConfig,
    delay=st.just(12_000),
    pace=st.sampled_from(Pace),
    in_flight=st.sampled_from([1, 2]),
    protect=st.just(Protect.SOUNDS),
)

happenings = st.lists(
    st.tuples(
        st.integers(200, 2_000),  # media that comes
        st.booleans(),  # somebody speaks in it
        st.sampled_from(["nothing", "answer", "last", "epoch"]),
        st.sampled_from(["", "A door opens slowly.", "Rain falls.", "A man runs."]),
    ),
    max_size=30,
)


class Run:
    """A session fed with what happens, by a describer that answers when it pleases."""

    def __init__(self, session: RecordedSession, at: Ms) -> None:
        self.session = session
        self.at = at
        self.open: list[AskDescriber] = []
        self.effects: list[Effect] = []

    def feed(self, fact: Fact) -> None:
        effects = self.session.feed(fact)
        self.effects += effects
        for effect in effects:
            if isinstance(effect, AskDescriber):
                self.open.append(effect)
            elif isinstance(effect, MeasureSpeech):
                lengths = tuple(spoken_ms(form) for form in effect.forms)
                self.feed(Measured(effect.question, lengths))

    def media(self, length: Ms, *, speech: bool) -> None:
        end = self.at + length
        for t in range(-(-self.at // 1000) * 1000, end, 1000):
            self.feed(frame(t))
        self.feed(chunk(self.at, length))
        self.feed(SpeechKnown(end, (Interval(self.at, end),) if speech else ()))
        said = Word(Interval(self.at, end), "word") if speech else None
        self.feed(WordsKnown(end, (said,) if said else ()))
        sounds = (Interval(self.at, self.at + 300),) if length > 1_700 else ()
        self.feed(SoundsKnown(end, sounds))
        self.at = end

    def answer(self, text: str, which: int) -> None:
        if self.open:
            ask = self.open.pop(which)
            self.feed(Answered(ask.question, decided(ask, text)))

    def finish(self) -> None:
        self.feed(MediaEnded())
        while self.open:
            self.answer("", 0)


def decided(ask: AskDescriber, text: str) -> Decision:
    when = ask.window.when
    if not text:
        return Wait(WaitReason.NOTHING_NEW, odds=-0.1)
    start = max(when.start, when.end - 1_500)
    return Describe((f"{text} {ask.question}",), Interval(start, when.end), odds=0.25)


def recorded(
    folder: Path,
    config: StreamConfig,
    script: list[tuple[Ms, bool, str, str]],
    memory: Memory | None = None,
    *,
    at: Ms = 0,
    finish: bool = True,
) -> Run:
    header = Header(config, "fake", draft=True, memory=memory)
    with Recorder(folder, header) as recorder:
        session = RecordedSession(config, recorder, describer="fake", draft=True, memory=memory)
        run = Run(session, at)
        for length, speech, then, text in script:
            run.media(length, speech=speech)
            if then == "epoch":
                run.feed(EpochStarted(Epoch(run.at, run.at + 60_000)))
            elif then != "nothing":
                run.answer(text, 0 if then == "answer" else -1)
        if finish:
            run.finish()
    return run


@settings(max_examples=60, deadline=None)
@given(config=configs, script=happenings)
def test_a_rerun_is_the_same_run(
    config: StreamConfig, script: list[tuple[Ms, bool, str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = recorded(Path(folder), config, script)
        recording = Recording(Path(folder))
        again = session_of(recording.header)
        effects = [e for _, found in steps(again, recording.facts()) for e in found]
        lines = [line for line in recording.lines() if "effect" in line]
    assert [effect_line(effect) for effect in effects] == lines
    assert again.stats() == run.session.stats()
    assert again.done == run.session.done


def test_withdrawals_are_run_again(tmp_path: Path) -> None:
    config = StreamConfig(delay=0)
    script = [(1_000, False, "nothing", "")] * 2
    script += [(500, False, "answer", "A very long line of many words is said here about it all.")]
    script += [(1_000, True, "nothing", "")] * 3
    recorded(tmp_path, config, script)
    recording = Recording(tmp_path)
    effects = [e for _, es in steps(session_of(recording.header), recording.facts()) for e in es]
    assert any(isinstance(effect, Withdrawn) for effect in effects)


@settings(max_examples=25, deadline=None)
@given(config=configs, before=happenings, after=happenings)
def test_a_stream_that_went_on_for_another_is_run_again_too(
    config: StreamConfig,
    before: list[tuple[Ms, bool, str, str]],
    after: list[tuple[Ms, bool, str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = recorded(Path(folder) / "one", config, before, finish=False)
        memory = first.session.remember()
        run = recorded(Path(folder) / "two", config, after, memory, at=first.at)
        recording = Recording(Path(folder) / "two")
        again = session_of(recording.header)
        effects = [e for _, found in steps(again, recording.facts()) for e in found]
        lines = [line for line in recording.lines() if "effect" in line]
    assert recording.header.memory == memory
    assert [effect_line(effect) for effect in effects] == lines
    assert again.stats() == run.session.stats()


def calm(words: str) -> list[tuple[Ms, bool, str, str]]:
    return [(1_000, False, "answer", words if n in (6, 18) else "") for n in range(40)]


@pytest.mark.parametrize("pace", Pace)
def test_with_no_setting_changed_other_settings_are_the_same_ones(
    tmp_path: Path, pace: Pace
) -> None:
    config = StreamConfig(pace=pace)
    run = recorded(tmp_path, config, calm("A man runs away."))
    recording = Recording(tmp_path)
    other = OtherSettings(session_of(recording.header))
    facts = other.known(steps(session_of(recording.header), recording.facts()))
    said = [e for e in announcements(other.session, other.run(facts)) if isinstance(e, AdEvent)]
    assert said == [e for e in run.effects if isinstance(e, AdEvent)]
    assert len(said) == 2
    assert other.unanswered == 0


def test_with_placement_off_the_predicted_times_stand(tmp_path: Path) -> None:
    config = StreamConfig(pace=Pace.EVERY_WINDOW)
    recorded(tmp_path, config, calm("A man runs away."))
    recording = Recording(tmp_path)
    off = StreamConfig(pace=Pace.EVERY_WINDOW, placement=Placement.OFF)
    other = OtherSettings(session_of(recording.header, off))
    facts = other.known(steps(session_of(recording.header), recording.facts()))
    said = [e for e in announcements(other.session, other.run(facts)) if isinstance(e, AdEvent)]
    assert [e.cue.when.duration for e in said] == [1_500, 1_500]


def test_a_recording_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    recorded(tmp_path, StreamConfig(), calm("Rain falls."))
    file = tmp_path / "recording.jsonl"
    whole = file.read_bytes()
    assert Recording(tmp_path).complete()
    file.write_bytes(whole[: len(whole) * 2 // 3])
    recording = Recording(tmp_path)
    assert not recording.complete()
    lines = [line for line in recording.lines() if "effect" in line]
    again = [e for _, es in steps(session_of(recording.header), recording.facts()) for e in es]
    assert [effect_line(effect) for effect in again][: len(lines)] == lines
    assert len(again) - len(lines) <= 8
    assert json.loads(whole.splitlines()[0])["strad"] == "recording"
