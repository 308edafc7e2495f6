"""Protected sounds: what is found in sounds made here, what is not, and when it is known."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strad.cues import AdEvent
from strad.decision import Describe
from strad.speech import Protect
from strad.timeline import Interval, Ms, covered, merge, subtract
from streaming.announced import TOUCH
from streaming.announcement import Withdrawn
from streaming.config import StreamConfig
from streaming.effects import AskDescriber, MeasureSpeech
from streaming.facts import Answered, Fact, Measured, MediaEnded
from streaming.hearing import SoundsKnown, SpeechKnown, WordsKnown
from streaming.listen import Listener
from streaming.listening_pool import ListeningPool
from streaming.media import SAMPLES_PER_MS, AudioChunk
from streaming.session import Session
from streaming.sounds import LATENCY, SoundWatch
from streaming.vad import Floats, VadStream
from tests.fakes import chunk, frame
from tests.streaming.heard import librivox, loudness_vad, pcm, vad
from tests.streaming.made_sounds import alarm, gunshot, music, room, wind

pytestmark = pytest.mark.unit


def over(ground: Floats, sound: Floats, at: Ms) -> Floats:
    mixed = ground.copy()
    mixed[at * SAMPLES_PER_MS :][: len(sound)] += sound
    return mixed


def found(
    sound: Floats, policy: Protect, speech: list[tuple[Ms, Ms]] | None = None, cut: Ms = 100
) -> list[Interval]:
    watch, spans, known_to = SoundWatch(policy, 0), [], 0
    voices = [Interval(*span) for span in speech or []]
    step = cut * SAMPLES_PER_MS
    for at in range(0, len(sound), step):
        end = (at + step) // SAMPLES_PER_MS
        now = Interval(end - cut, end)
        new = tuple(part for voice in voices if (part := voice.intersect(now)))
        last = at + step >= len(sound)
        known = watch.hear(sound[at : at + step], [SpeechKnown(end, new)], last=last)
        assert all(span.start >= known_to for span in known.spans), "decided already"
        assert known.until >= known_to
        assert last or known.until >= end - LATENCY
        known_to = known.until
        spans += known.spans
    return merge(spans)


@pytest.mark.parametrize("policy", [Protect.SONGS, Protect.SOUNDS])
@pytest.mark.parametrize("sound", [room(12_000), wind(12_000)], ids=["room", "wind"])
def test_noise_is_free(sound: Floats, policy: Protect) -> None:
    assert found(sound, policy) == []


@pytest.mark.parametrize("ground", [room(8_000), wind(8_000)], ids=["room", "wind"])
def test_a_gunshot_is_a_sound_and_no_song(ground: Floats) -> None:
    shot = over(ground, gunshot(), 4_000)
    (span,) = found(shot, Protect.SOUNDS)
    assert 3_800 <= span.start <= 4_000
    assert 4_400 <= span.end <= 5_000
    assert found(shot, Protect.SONGS) == []


def test_an_alarm_is_a_sound() -> None:
    spans = found(over(room(12_000), alarm(6_000), 3_000), Protect.SOUNDS)
    assert 2_800 <= spans[0].start <= 3_600
    assert spans[-1].end >= 8_300
    assert covered(spans) >= 2_000


def test_music_is_a_song_only_where_somebody_sings() -> None:
    sound = over(room(18_000), music(12_000), 4_000)
    assert found(sound, Protect.SONGS) == []
    (song,) = found(sound, Protect.SONGS, [(9_000, 11_000), (12_000, 14_000)])
    assert 4_000 <= song.start <= 7_500
    assert 15_500 <= song.end <= 16_500


def test_a_swell_is_a_sound_and_soft_music_is_none() -> None:
    soft = music(14_000, level=0.02)
    assert found(soft, Protect.SOUNDS) == []
    swell = over(soft, music(5_000, level=0.3), 8_000)
    spans = found(swell, Protect.SOUNDS)
    assert any(span.intersect(Interval(9_000, 13_000)) for span in spans)
    assert not any(span.intersect(Interval(0, 7_000)) for span in spans)


@pytest.mark.parametrize("cut", [20, 37, 1_000, 9_000])
def test_how_sound_is_cut_changes_nothing(cut: Ms) -> None:
    sound = over(over(room(9_000), gunshot(), 2_000), music(4_000, 0.3), 4_000)
    assert found(sound, Protect.SOUNDS, cut=cut) == found(sound, Protect.SOUNDS)


def test_read_speech_is_taken_for_nothing_outside_of_speech() -> None:
    """False alarms within speech cost nothing: nothing would be said there anyway."""
    sound = np.concatenate([samples for samples, _ in librivox()])
    stream = VadStream(vad(), 0)
    heard = [*stream.hear(pcm(sound)), *stream.finish()]
    speech = [span for known in heard for span in known.speech]
    for policy in (Protect.SONGS, Protect.SOUNDS):
        alarms = found(sound, policy, [(span.start, span.end) for span in speech])
        assert sum(covered(subtract(span, speech)) for span in alarms) <= 300


def test_ears_tell_of_sounds_beside_speech() -> None:
    sound = pcm(over(room(8_000), gunshot(), 4_000))
    known: list[SoundsKnown] = []

    async def scene() -> None:
        async with ListeningPool(1) as pool:
            ears = Listener(loudness_vad(), None, pool).ears(protect=Protect.SOUNDS, patient=True)
            await ears.hear(AudioChunk(0, sound))
            await ears.finish()
            known.extend([f async for f in ears.findings() if isinstance(f, SoundsKnown)])
            await ears.aclose()

    asyncio.run(scene())
    assert known[-1].until == 8_000
    assert covered(merge(span for each in known for span in each.spans)) >= 500


def test_too_little_delay_to_protect_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 8 s"):
        StreamConfig(protect=Protect.SONGS, delay=4_000)


spans = st.lists(
    st.builds(lambda a, n: Interval(a, a + n), st.integers(0, 38_000), st.integers(200, 4_000)),
    max_size=5,
)
LONG: Ms = 40_000


class Talker:
    """A live session whose describer has something to say about every window."""

    def __init__(self, delay: Ms) -> None:
        config = StreamConfig(delay=delay, protect=Protect.SOUNDS)
        self.session = Session(config, describer="fake", draft=True)
        self.standing: dict[str, AdEvent] = {}

    def feed(self, fact: Fact) -> None:
        for effect in self.session.feed(fact):
            match effect:
                case AskDescriber(question, window):
                    end = window.when.end
                    text = f"Number {question} happens."
                    when = Interval(max(0, end - 900), end)
                    self.feed(Answered(question, Describe((text,), when)))
                case MeasureSpeech(question):
                    self.feed(Measured(question, (1_200,)))
                case AdEvent():
                    self.standing[effect.id] = effect
                case Withdrawn(event_id=event_id):
                    del self.standing[event_id]
                case _:
                    pass

    def hear(self, speech: list[Interval], protected: list[Interval]) -> None:
        """What is known of the sound comes as late as it does live."""
        told = 0
        for end in range(500, LONG + 1, 500):
            if end % 1_000 == 500:
                self.feed(frame(end - 500))
            self.feed(chunk(end - 500, 500))
            new = Interval(end - 500, end)
            self.feed(SpeechKnown(end, tuple(p for s in speech if (p := s.intersect(new)))))
            self.feed(WordsKnown(end))
            until = end if end == LONG else max(0, end - LATENCY)
            new = Interval(told, until)
            self.feed(SoundsKnown(until, tuple(p for s in protected if (p := s.intersect(new)))))
            told = until
        self.feed(MediaEnded())


@settings(max_examples=30, deadline=None)
@given(protected=spans, speech=spans, delay=st.sampled_from([8_000, 12_000, 30_000]))
def test_what_is_placed_never_lies_on_what_is_protected(
    protected: list[Interval], speech: list[Interval], delay: Ms
) -> None:
    talker = Talker(delay)
    talker.hear(merge(speech), merge(protected))
    for event in talker.standing.values():
        under = [p for span in protected if (p := span.intersect(event.cue.when))]
        assert covered(under) < TOUCH


def test_free_time_beside_protected_sounds_is_used() -> None:
    talker = Talker(12_000)
    talker.hear([], [Interval(0, 15_000), Interval(25_000, 33_000)])
    assert talker.standing
    assert all(event.cue.when.start >= 15_000 for event in talker.standing.values())
