"""Sounds made here, each a plain likeness of its kind: 16 kHz, in [-1, 1]."""

from __future__ import annotations

import numpy as np

from strad.timeline import Ms
from streaming.media import SAMPLES_PER_MS
from streaming.vad import Floats

RATE = 16_000


def _times(ms: Ms) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.arange(ms * SAMPLES_PER_MS) / RATE


def room(ms: Ms, level: float = 0.002, seed: int = 1) -> Floats:
    """A quiet room."""
    return (np.random.default_rng(seed).standard_normal(ms * SAMPLES_PER_MS) * level).astype("f4")


def wind(ms: Ms, seed: int = 2) -> Floats:
    """Low noise whose loudness rises and falls within seconds."""
    noise = np.random.default_rng(seed).standard_normal(ms * SAMPLES_PER_MS)
    spectrum = np.fft.rfft(noise)
    spectrum /= 1 + np.arange(len(spectrum)) / (len(spectrum) / 40)
    low = np.fft.irfft(spectrum, len(noise))
    gusts = 0.6 + 0.4 * np.sin(2 * np.pi * 0.35 * _times(ms))
    return (0.2 * low / np.abs(low).max() * gusts).astype("f4")


def gunshot(ms: Ms = 600, seed: int = 3) -> Floats:
    """A crack and its tail."""
    noise = np.random.default_rng(seed).standard_normal(ms * SAMPLES_PER_MS)
    return np.clip(0.8 * noise * np.exp(-_times(ms) * 12), -1, 1).astype("f4")


def alarm(ms: Ms, pitch: float = 1_000.0) -> Floats:
    """Half a second of tone, half a second of none, again and again."""
    at = _times(ms)
    return (0.3 * np.sin(2 * np.pi * pitch * at) * (at % 1.0 < 0.5)).astype("f4")


def music(ms: Ms, level: float = 0.12, seed: int = 4) -> Floats:
    """Chords of half a second, three voices with overtones that die away, and a soft drum."""
    at = _times(ms)
    sound = np.zeros_like(at)
    chords = [(220.0, 277.2, 329.6), (196.0, 246.9, 293.7), (174.6, 220.0, 261.6)]
    for index in range(-(-ms // 500)):
        own = at - index * 0.5
        within = (own >= 0) & (own < 0.55)
        for pitch in chords[index // 2 % 3]:
            for overtone in range(1, 6):
                tone = np.sin(2 * np.pi * pitch * overtone * own) / overtone
                sound[within] += (tone * np.exp(-1.5 * np.clip(own, 0, 1)))[within]
    drum = np.random.default_rng(seed).standard_normal(len(at)) * np.exp(-(at % 0.5) * 40) * 0.3
    return (level * (sound + drum) / 2).astype("f4")
