"""Silero as a stream: times equal media time, however the sound was cut; both packagings agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from strad.timeline import Interval, Ms, merge
from strad_engines.weights import Weights
from streaming.hearing import SpeechKnown
from streaming.vad import FRAME_SAMPLES, Floats, SileroVad, VadState, VadStream
from tests.streaming.heard import (
    LIBRIVOX,
    buzz,
    librivox,
    loudness_vad,
    pcm,
    silence,
    synthesised,
    vad,
)

pytestmark = pytest.mark.media


def facts(
    sound: bytes, cuts: list[int], start: Ms = 0, model: SileroVad | None = None
) -> list[SpeechKnown]:
    """What is found when the sound comes in pieces of these many bytes, over and over."""
    stream, found, at, turn = VadStream(model or vad(), start), list[SpeechKnown](), 0, 0
    while at < len(sound):
        found += stream.hear(sound[at : at + cuts[turn % len(cuts)]])
        at += cuts[turn % len(cuts)]
        turn += 1
    return [*found, *stream.finish()]


def spans(found: list[SpeechKnown]) -> list[Interval]:
    return merge(span for known in found for span in known.speech)


def again_and_again(loud: Floats, quiet: Ms, times: int) -> tuple[Floats, list[Interval]]:
    """Silence, speech, silence, ...: the sound, and where the speech is."""
    length = len(loud) // 16
    loud = loud[: length * 16]
    where = [
        Interval(quiet + i * (quiet + length), (i + 1) * (quiet + length)) for i in range(times)
    ]
    return np.concatenate([*([silence(quiet), loud] * times), silence(quiet)]), where


def test_twenty_times_silence_and_speech_lie_where_they_are() -> None:
    """The arithmetic of time, without the network's own judgement; see the slow test for that."""
    sound, where = again_and_again(buzz(1_700), 1_330, 20)
    found = spans(facts(pcm(sound), [3_200], model=loudness_vad()))
    assert len(found) == 20
    for span, truth in zip(found, where, strict=True):
        assert abs(span.start - truth.start) <= 50
        assert abs(span.end - truth.end) <= 50


def test_a_stream_that_starts_late_has_late_times() -> None:
    sound = pcm(np.concatenate([silence(1_000), buzz(1_500), silence(1_000)]))
    here, later = facts(sound, [3_200]), facts(sound, [3_200], start=7_000)
    assert [k.until + 7_000 for k in here] == [k.until for k in later]
    assert [s.shift(7_000) for s in spans(here)] == spans(later)


@pytest.mark.parametrize("cuts", [[2], [640], [1_024, 34, 9_998], [100_000_000]])
def test_how_sound_is_cut_changes_nothing(cuts: list[int]) -> None:
    sound = pcm(np.concatenate([silence(700), buzz(900), silence(333), buzz(800, 3), silence(450)]))
    assert facts(sound, cuts) == facts(sound, [3_200])


def test_it_decides_within_four_tenths_of_a_second() -> None:
    sound = pcm(np.concatenate([silence(900), buzz(900), silence(900)]))
    stream, until = VadStream(vad(), 0), 0
    for at in range(0, len(sound), 640):
        for known in stream.hear(sound[at : at + 640]):
            assert known.until >= until
            until = known.until
        assert at // 32 - until < 400


def test_everything_is_decided_at_the_end() -> None:
    """The sound ends within a word, within a frame."""
    found = facts(pcm(np.concatenate([silence(500), buzz(1_007)])), [3_200])
    assert found[-1].until == 1_507
    assert spans(found)[-1].end == 1_507


def test_noise_is_not_speech() -> None:
    noise = np.random.default_rng(1).standard_normal(16_000 * 20).astype(np.float32) * 0.05
    assert spans(facts(pcm(noise), [3_200])) == []


@pytest.mark.slow
def test_both_packagings_hear_the_same(tmp_path: Path) -> None:
    """The silero-vad package's own model, opened without torch, on the same sound."""
    weights = Weights(cache=tmp_path, hub=False)
    if not weights.here("silero-vad-package"):
        pytest.skip("needs silero-vad: pip install --no-deps silero-vad==6.0.0")
    package = SileroVad.load(weights.file("silero-vad-package"))
    sounds = [buzz(4_000), *(clip for clip, _ in (librivox() if LIBRIVOX.exists() else []))]
    for sound in sounds:
        whole = sound[: len(sound) // FRAME_SAMPLES * FRAME_SAMPLES]
        ours, _ = vad().probabilities(whole, VadState.fresh())
        theirs, _ = package.probabilities(whole, VadState.fresh())
        assert np.abs(ours - theirs).max() < 1e-5


@pytest.mark.slow
def test_the_package_itself_hears_the_same() -> None:
    """As `[gpu]` listens: through silero_vad, which needs torch."""
    pytest.importorskip("torch", reason="needs torch: pip install 'strad[gpu]'")
    pytest.importorskip("silero_vad", reason="needs silero-vad: pip install 'strad[gpu]'")
    package, sound = SileroVad.from_package(), buzz(4_000)[: 120 * FRAME_SAMPLES]
    ours, _ = vad().probabilities(sound, VadState.fresh())
    theirs, _ = package.probabilities(sound, VadState.fresh())
    assert np.abs(ours - theirs).max() < 1e-5


@pytest.mark.slow
def test_speech_again_and_again_lies_where_it_is(tmp_path: Path) -> None:
    """Twenty times the same real sentence: no drift, and within 50 ms of where it lies."""
    (sentence,) = synthesised(tmp_path, ["Nobody knew where the children had gone."])
    sound, where = again_and_again(sentence, 1_330, 20)
    found = spans(facts(pcm(sound), [3_200]))
    assert len(found) == 20
    assert max(abs(f.start - t.start) for f, t in zip(found, where, strict=True)) <= 50
    assert max(abs(f.end - t.end) for f, t in zip(found, where, strict=True)) <= 50
