"""A clip to measure with where none is given: moving pictures, sound, and a transcript."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from strad.speech import Word
from strad.timeline import Interval, Ms

WIDTH, HEIGHT, FPS = 1280, 720, 25
RATE = 16_000
TALK = (
    "So where were you all the night we waited for you at the station and nobody came then the "
    "rain began and she said that it would be better to go home before the last train had left"
)
SPEECH_EVERY: Ms = 12_000
SPEECH_FROM: Ms = 6_000
A_WORD: Ms = 400
"""150 words a minute."""


def words(length: Ms) -> tuple[Word, ...]:
    """Somebody speaks half of the time."""
    starts = [t for t in range(0, length, A_WORD) if t % SPEECH_EVERY >= SPEECH_FROM]
    said = itertools.cycle(TALK.split())
    return tuple(Word(Interval(t, t + A_WORD), next(said)) for t in starts)


def corpus() -> list[str]:
    """What the transcript is made of."""
    return [TALK]


def write_clip(path: Path, length: Ms) -> None:
    """H.264 with AAC in MP4, 1280x720 at 25 a second; takes about a third of its length."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", FPS, options={"preset": "ultrafast"})
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        audio = container.add_stream("aac", RATE, layout="mono")
        sounds = _sounds(length)
        heard = 0.0
        for number, picture in enumerate(_pictures(length)):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            container.mux(video.encode(frame))
            while heard <= number / FPS and (sound := next(sounds, None)) is not None:
                heard += sound.samples / RATE
                container.mux(audio.encode(sound))
        for sound in sounds:
            container.mux(audio.encode(sound))
        container.mux(video.encode(None))
        container.mux(audio.encode(None))


def _pictures(length: Ms) -> Iterator[npt.NDArray[np.uint8]]:
    """A grainy wall that glides by, and a bright square that moves over it."""
    grain = np.random.default_rng(0).integers(0, 255, (HEIGHT // 4, WIDTH // 2, 3), np.uint8)
    wall = grain.repeat(4, axis=0).repeat(4, axis=1)
    for number in range(length * FPS // 1000):
        picture = np.roll(wall, -4 * number, axis=1)[:, :WIDTH].copy()
        left = (number * 6) % (WIDTH - 200)
        picture[200:400, left : left + 200] = (230, 60, 40 + number % 200)
        yield picture


def _sounds(length: Ms) -> Iterator[av.AudioFrame]:
    """A quiet hum."""
    size = RATE // 10
    for number in range(length // 100):
        t = (np.arange(size) + number * size) / RATE
        wave = (800 * np.sin(2 * math.pi * 110 * t)).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(wave[None, :], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = RATE, number * size, Fraction(1, RATE)
        yield frame
