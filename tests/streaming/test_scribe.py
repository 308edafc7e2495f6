"""Which sound is transcribed when, and that final words stay final."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strad.speech import Word
from strad.timeline import Interval, Ms, covered, merge
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.hypothesis import Guess, Hypothesis
from streaming.scribe import Pass, Scribe, ScribeTuning
from streaming.sound import BYTES_PER_MS

pytestmark = pytest.mark.unit

BLOCK: Ms = 128


class Speaker:
    """Says words of 300 ms during given spans; a recogniser that may waver hears them."""

    def __init__(self, speech: list[Interval], seed: int = 0, waver: float = 0.0) -> None:
        self.speech = merge(speech)
        self.words = [
            Interval(at, min(at + 300, span.end))
            for span in self.speech
            for at in range(span.start, span.end, 300)
        ]
        self._random = random.Random(seed)
        self._waver = waver

    def decided(self, since: Ms, until: Ms) -> SpeechKnown:
        step = Interval(since, until)
        return SpeechKnown(until, tuple(b for s in self.speech if (b := s.intersect(step))))

    def recognise(self, asked: Pass) -> Hypothesis:
        """The words that lie wholly in the pass, after the known ones, some misheard."""
        inside = [w for w in self.words if asked.when.start <= w.start and w.end <= asked.when.end]
        later = [w for w in inside if w.start >= self._heard_to(asked)]
        start = asked.when.start
        guesses = tuple(Guess(w.start - start, w.end - start, self._say(w), 0.9) for w in later)
        return Hypothesis(guesses, "en")

    def _heard_to(self, asked: Pass) -> Ms:
        return asked.when.start + asked.known[-1].end if asked.known else asked.when.start

    def _say(self, word: Interval) -> str:
        return "noise" if self._random.random() < self._waver else f"w{word.start}"


class Desk:
    """A scribe at work: sound arrives in blocks, every pass takes ``slow`` ms of media time."""

    def __init__(self, speaker: Speaker, end: Ms, *, slow: Ms = 0, sheds: bool = True) -> None:
        self.speaker = speaker
        self.scribe = Scribe(0)
        self.passes: list[Pass] = []
        self.found: list[WordsKnown] = []
        self.largest = 0
        self._slow = slow
        self._sheds = sheds
        self._done_at: Ms | None = None
        for at in range(0, end, BLOCK):
            self.step(at, min(at + BLOCK, end))
        self.scribe.finish()
        for _ in range(1_000):
            if not self._serve(None):
                break

    @property
    def words(self) -> list[Word]:
        return [word for found in self.found for word in found.words]

    def step(self, since: Ms, until: Ms) -> None:
        self.scribe.hear(bytes((until - since) * BYTES_PER_MS))
        self.scribe.decide(self.speaker.decided(since, until))
        if self._sheds:
            self.scribe.shed()
        self._serve(until)

    def _serve(self, now: Ms | None) -> bool:
        """Ask for the next pass, or answer the one that is out when its time has come."""
        busy = True
        while busy:
            busy = False
            asked = self.scribe.next_pass()
            if asked is not None:
                assert self._done_at is None, "one pass is out at a time"
                self.passes.append(asked)
                self._done_at = (now or 0) + self._slow
            if self._done_at is not None and (now is None or now >= self._done_at):
                self._done_at = None
                self.scribe.heard(self.speaker.recognise(self.passes[-1]))
                busy = True
            found = self.scribe.findings()
            if found is not None:
                self.found.append(found)
        return self._done_at is not None


def spans(*pairs: tuple[Ms, Ms]) -> list[Interval]:
    return [Interval(start, end) for start, end in pairs]


SPEECH = st.lists(
    st.tuples(st.integers(0, 4_000), st.integers(40, 20_000)), min_size=0, max_size=8
).map(lambda steps: _walk(steps))


def _walk(steps: list[tuple[Ms, Ms]]) -> list[Interval]:
    at, made = 300, []
    for quiet, loud in steps:
        made.append(Interval(at + quiet, at + quiet + loud))
        at += quiet + loud
    return made


@given(SPEECH, st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 12_000))
def test_final_words_come_in_order_and_never_before_what_was_promised(
    speech: list[Interval], seed: int, waver: float, slow: Ms
) -> None:
    end = (speech[-1].end if speech else 0) + 3_000
    desk = Desk(Speaker(speech, seed, waver), end, slow=slow)
    until = 0
    for found in desk.found:
        assert found.until >= until
        assert all(word.when.start >= until for word in found.words)
        until = found.until
    assert all(a.when.end <= b.when.start for a, b in pairwise(desk.words))
    assert until == end


@given(SPEECH, st.integers(0, 5), st.sampled_from([0.0, 0.1, 0.5]))
def test_a_patient_scribe_hears_every_word_once(
    speech: list[Interval], seed: int, waver: float
) -> None:
    end = (speech[-1].end if speech else 0) + 3_000
    speaker = Speaker(speech, seed, waver)
    desk = Desk(speaker, end, sheds=False)
    assert desk.scribe.lost == 0
    whole = {
        f"w{word.start}"
        for span in merge(speech)
        for word in speaker.words
        if span.duration >= 1_000 and span.start <= word.start < span.end
    }
    heard = [word.text for word in desk.words if word.text != "noise"]
    assert len(heard) == len(set(heard))
    if waver == 0.0:
        assert len(whole - set(heard)) <= 2 * len(desk.passes)


@given(SPEECH, st.integers(0, 60_000))
def test_only_speech_is_transcribed_and_no_pass_is_too_long(
    speech: list[Interval], slow: Ms
) -> None:
    desk = Desk(Speaker(speech), (speech[-1].end if speech else 0) + 3_000, slow=slow)
    tuning = ScribeTuning()
    for asked in desk.passes:
        assert asked.when.duration <= tuning.longest + 2 * tuning.lead
        assert len(asked.pcm) == asked.when.duration * BYTES_PER_MS
        heard = covered(b for s in desk.speaker.speech if (b := s.intersect(asked.when)))
        assert heard > 0
    if not speech:
        assert desk.passes == []


def test_a_short_utterance_is_transcribed_once_when_it_is_over() -> None:
    desk = Desk(Speaker(spans((1_000, 4_000))), 6_000)
    assert [(p.closed, p.when) for p in desk.passes] == [(True, Interval(808, 4_192))]
    assert len(desk.words) == 10
    assert desk.found[-1].until == 6_000


def test_a_burst_too_short_for_a_word_is_not_transcribed() -> None:
    assert Desk(Speaker(spans((1_000, 1_120))), 4_000).passes == []


def test_long_speech_is_final_long_before_it_ends() -> None:
    desk = Desk(Speaker(spans((0, 60_000))), 61_000)
    assert max(len(p.pcm) for p in desk.passes) <= 14_000 * BYTES_PER_MS
    assert sum(p.when.duration for p in desk.passes) < 2.5 * 60_000
    assert [w.text for w in desk.words] == [f"w{w.start}" for w in desk.speaker.words]


def test_passes_that_never_agree_still_end() -> None:
    desk = Desk(Speaker(spans((0, 60_000)), waver=1.0), 61_000)
    waits = [b.until - a.until for a, b in pairwise(desk.found)]
    assert max(waits) <= 14_500


def test_what_cannot_be_transcribed_in_time_is_let_go_of_and_counted() -> None:
    """Each pass takes 40 s of media time: two thirds of two minutes of speech are lost."""
    speech = [Interval(at, at + 4_000) for at in range(0, 240_000, 5_000)]
    desk = Desk(Speaker(speech), 242_000, slow=40_000)
    assert desk.scribe.lost > 100_000
    assert desk.words
    assert desk.found[-1].until == 242_000


def test_silence_keeps_no_sound() -> None:
    scribe = Scribe(0)
    for at in range(0, 600_000, BLOCK):
        scribe.hear(bytes(BLOCK * BYTES_PER_MS))
        scribe.decide(SpeechKnown(at + BLOCK))
        assert scribe.next_pass() is None
    found = scribe.findings()
    assert found is not None
    assert found.until == 600_064
    assert scribe._sound.end - scribe._sound.start < 400
