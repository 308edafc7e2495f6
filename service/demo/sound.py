"""A made clip's sound: speech laid over a soft bed, so that its gaps are not digital silence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from service.demo.narrator import RATE, Sound
from strad.timeline import Interval, Ms

SPEECH_LEVEL = 0.1
"""Root mean square of speech: -20 dBFS."""
BED_LEVEL = 0.005
"""Root mean square of the bed: -46 dBFS."""
MARGIN: Ms = 60
"""Kept of a recording before and after its voiced span: breath and reverberation."""

_STEP: Ms = 10
_BLOCK: Ms = 8_000
_CHORD_GAIN = BED_LEVEL / math.sqrt(3 / 4)
"""Three sines under a half-sine swell have a root mean square of sqrt(3/4)."""
_ROOM_GAIN = BED_LEVEL / 3 * math.sqrt(8)
"""Noise averaged over eight samples has a root mean square of 1/sqrt(8)."""
_CHORDS = ((110.0, 164.8, 220.0), (98.0, 146.8, 246.9), (87.3, 130.8, 220.0), (82.4, 123.5, 196.0))


@dataclass(frozen=True, slots=True)
class Take:
    """One spoken line, cut to its voiced span with a margin on either side."""

    text: str
    samples: Sound
    voiced: Interval
    """The voiced span, from the start of ``samples``."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A take and when its voiced span is heard."""

    take: Take
    when: Interval


def take(text: str, samples: Sound, floor: float = 0.01) -> Take:
    """Cut a recording to its voiced span, and bring it to one level. ``floor`` as in ``voiced``."""
    span = voiced(samples, floor)
    start, end = max(0, span.start - MARGIN), span.end + MARGIN
    cut = samples[start * RATE // 1000 : end * RATE // 1000]
    level = float(np.sqrt(np.mean(cut**2)))
    cut = np.clip(cut * (SPEECH_LEVEL / max(level, 1e-6)), -0.98, 0.98).astype(np.float32)
    return Take(text, cut, span.shift(-start))


def voiced(samples: Sound, floor: float = 0.01) -> Interval:
    """From the first to the last sound that lasts 30 ms and reaches ``floor`` of the loudest.

    Amplitudes are compared: the default is 40 dB below the loudest. Raises ValueError on silence.
    """
    loud = loudness(samples)
    heard = loud >= max(floor * float(loud.max(initial=0.0)), 1e-5)
    (lasting,) = np.nonzero(heard[:-2] & heard[1:-1] & heard[2:])
    if not len(lasting):
        raise ValueError("nothing is said in this recording")
    return Interval(int(lasting[0]) * _STEP, (int(lasting[-1]) + 3) * _STEP)


def loudness(samples: Sound) -> NDArray[np.float64]:
    """The root mean square of every whole 10 ms."""
    size = RATE * _STEP // 1000
    whole = samples[: len(samples) // size * size].astype(np.float64)
    return np.asarray(np.sqrt(np.mean(whole.reshape(-1, size) ** 2, axis=1)))


def place(rng: Random, takes: Sequence[Take], duration: Ms) -> list[Placed]:
    """Lay takes out one or two at a time with gaps of many lengths, for as long as they fit."""
    placed: list[Placed] = []
    at = min(rng.randint(2_000, 4_500), duration // 4)
    together = _together(rng)
    for one in takes:
        end = at + one.voiced.duration
        if end > duration - 1_500:
            continue
        placed.append(Placed(one, Interval(at, end)))
        together -= 1
        at = end + (rng.randint(250, 450) if together else _gap(rng))
        together = together or _together(rng)
    return placed


def _together(rng: Random) -> int:
    return 2 if rng.random() < 0.3 else 1


def _gap(rng: Random) -> Ms:
    low, high = rng.choices(((1_100, 2_000), (2_500, 4_000), (4_500, 7_500)), (1, 3, 7))[0]
    return rng.randint(low, high)


def mix(rng: Random, placed: Sequence[Placed], duration: Ms) -> Iterator[NDArray[np.int16]]:
    """All of it as 16-bit samples, mono, ``RATE`` a second, in blocks of up to eight seconds."""
    for start, block in bed(rng, duration):
        first = start * RATE // 1000
        for one in placed:
            _lay(block, one.take.samples, _first_sample(one) - first)
        yield np.asarray(np.round(np.clip(block, -1, 1) * 32_767), dtype=np.int16)


def _first_sample(one: Placed) -> int:
    return (one.when.start - one.take.voiced.start) * RATE // 1000


def _lay(block: Sound, samples: Sound, at: int) -> None:
    """Add what of the samples, starting at ``at`` of the block, falls into it."""
    start, end = max(at, 0), min(at + len(samples), len(block))
    if start < end:
        block[start:end] += samples[start - at : end - at]


def bed(rng: Random, duration: Ms) -> Iterator[tuple[Ms, Sound]]:
    """A quiet chord that swells and fades, another every eight seconds, and a little room noise."""
    chords = rng.sample(_CHORDS, len(_CHORDS))
    noise = np.random.default_rng(rng.getrandbits(32))
    for start in range(0, duration, _BLOCK):
        length = min(_BLOCK, duration - start) * RATE // 1000
        t = np.arange(length) / RATE
        notes = chords[start // _BLOCK % len(chords)]
        chord = sum(np.sin(2 * np.pi * note * t) for note in notes)
        swell = np.sin(np.pi * t * 1000 / _BLOCK)
        room = np.convolve(noise.standard_normal(length), np.ones(8) / 8, "same")
        yield start, (_CHORD_GAIN * swell * chord + _ROOM_GAIN * room).astype(np.float32)
