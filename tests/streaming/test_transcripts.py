"""Real models on real speech: word errors, loops, silence, and where words start."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from strad.errors import InputError
from streaming.asr import LONGEST, WhisperAsr
from streaming.hypothesis import loops
from tests.streaming.heard import (
    MEDIA,
    decoded,
    errors,
    librivox,
    listen,
    normal,
    silence,
    synthesised,
    whisper,
)

pytestmark = [pytest.mark.media, pytest.mark.slow]

JFK = (
    "And so my fellow Americans ask not what your country can do for you "
    "ask what you can do for your country"
)
FRIDAY = (
    "Hildy! How are you? Tell me, is the lord of the universe in? Yes, he's in - in a bad humor. "
    "Somebody must've stolen the crown jewels"
)
WORDS = [
    *("garden", "window", "table", "orange", "doctor", "river", "morning", "seven", "pencil"),
    *("music", "yellow", "captain", "winter", "paper", "button", "market", "silver", "dinner"),
    *("monkey", "hammer"),
]


@pytest.fixture(scope="module")
def base() -> WhisperAsr:
    return whisper("base")


def rate(reference: str, heard: str) -> float:
    wrong, words = errors(reference, heard)
    return wrong / words


def test_a_speech_is_heard_word_for_word(base: WhisperAsr) -> None:
    assert rate(JFK, listen(decoded(MEDIA / "jfk.flac"), base).text) <= 0.05


def test_read_sentences_are_heard(base: WhisperAsr) -> None:
    pairs = [errors(said, listen(sound, base).text) for sound, said in librivox()]
    assert sum(wrong for wrong, _ in pairs) / sum(words for _, words in pairs) <= 0.05


def test_read_sentences_without_a_pause_are_heard(base: WhisperAsr) -> None:
    sentences = librivox()
    whole = np.concatenate([sound for sound, _ in sentences])
    assert rate(" ".join(said for _, said in sentences), listen(whole, base).text) <= 0.05


def test_noisy_film_speech_is_no_worse_than_the_whole_file_at_once(base: WhisperAsr) -> None:
    sound = decoded(MEDIA / "friday.mp4")
    segments, _ = base.model.transcribe(
        sound, language="en", temperature=0.0, vad_filter=True, condition_on_previous_text=False
    )
    at_once = rate(FRIDAY, " ".join(segment.text for segment in segments))
    heard = listen(sound, base).text
    assert rate(FRIDAY, heard) <= at_once
    assert not loops(heard)


def test_a_wordless_battle_has_no_words(base: WhisperAsr) -> None:
    found = listen(decoded(MEDIA / "tears-of-steel-battle-clip-medium.webm"), base)
    assert found.words == []


def test_after_a_minute_of_silence_nothing_repeats(base: WhisperAsr) -> None:
    sound, said = librivox()[0]
    whole = np.concatenate([sound, silence(60_000), sound, silence(3_000)])
    found = listen(whole, base)
    assert rate(f"{said} {said}", found.text) <= 0.05
    assert not loops(found.text)


def test_the_language_is_found_out(base: WhisperAsr) -> None:
    sound, said = librivox()[0]
    assert rate(said, listen(sound, base, language=None).text) <= 0.05


def test_how_sound_is_cut_changes_no_word(base: WhisperAsr) -> None:
    (first, _), (second, _), *_ = librivox()
    sound = np.concatenate([first, second, silence(1_000)])
    assert listen(sound, base, cut=100).speech == listen(sound, base, cut=37).speech
    assert listen(sound, base, cut=100).text == listen(sound, base, cut=37).text


def test_no_more_is_asked_of_one_pass_than_it_can_hear(base: WhisperAsr) -> None:
    with pytest.raises(InputError, match="at most 28000 ms"):
        base.transcribe(silence(LONGEST + 1), "en", ())


@pytest.mark.parametrize("pause", [100, 350, 800])
def test_words_start_where_they_were_put(base: WhisperAsr, tmp_path: Path, pause: int) -> None:
    """Synthesised words, joined at known times, ``pause`` ms apart."""
    clips = synthesised(tmp_path, [f"{word}." for word in WORDS])
    parts, starts, at = [silence(500)], list[int](), 500
    for clip in clips:
        starts.append(at)
        parts += [clip[: len(clip) // 16 * 16], silence(pause)]
        at += len(clip) // 16 + pause
    found = listen(np.concatenate([*parts, silence(800)]), base)
    off = [
        min(abs(heard.when.start - start) for heard in found.words if normal(heard.text) == [word])
        for word, start in zip(WORDS, starts, strict=True)
        if any(normal(heard.text) == [word] for heard in found.words)
    ]
    assert len(off) >= 0.6 * len(WORDS)
    assert np.median(off) <= 150
