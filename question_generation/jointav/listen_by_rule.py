"""What rules hear where no model can: that there is music, and sudden or ringing loud sounds.

The rules are ``streaming.sounds``'; what they miss and mistake is told there. They know neither
what makes a sound nor how a line is spoken: questions about voices need a model that hears.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from question_generation.drop import Drop
from question_generation.jointav.scene_sound import sound_of
from question_generation.scene import Scene
from question_generation.stage import Desk
from strad.record import TimedText
from strad.speech import Protect
from strad.timeline import Interval, Ms, merge, subtract, to_seconds
from strad_engines.messages import Audio
from streaming.hearing import SpeechKnown
from streaming.media import SAMPLES_PER_MS
from streaming.sounds import SoundWatch

SHORTEST: Ms = 150
MUSIC, LOUD = "music", "a sudden or ringing loud sound"
_HEADER = 44
"""Bytes of a plain WAV file before its samples."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ListenByRule:
    """Adds ``music`` and ``sounds`` that rules find."""

    clips: Path
    name: str = "listen"
    version: str = "rules 1"
    roles: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reads(self) -> type[Scene]:
        return Scene

    @property
    def writes(self) -> type[Scene]:
        return Scene

    async def work(self, record: Scene, desk: Desk) -> Sequence[Scene] | Drop:
        audio = await sound_of(self.clips, record)
        if isinstance(audio, Drop):
            return audio
        if audio is None:
            return [record]
        music, loud = await asyncio.to_thread(heard, samples_of(audio))
        offset = record.when.start
        update = {
            "music": (*record.music, *_lines(music, offset, MUSIC)),
            "sounds": (*record.sounds, *_lines(loud, offset, LOUD)),
        }
        return [record.model_copy(update=update)]


def heard(samples: Floats) -> tuple[list[Interval], list[Interval]]:
    """Where there is music, and where other loud sounds; 16 kHz, times from the first sample."""
    end = len(samples) // SAMPLES_PER_MS
    # A song is music with a voice in it: told that there is always a voice, all music is one.
    voice = [SpeechKnown(end, (Interval(0, end),))]
    music = merge(SoundWatch(Protect.SONGS, 0).hear(samples, voice, last=True).spans)
    loud = SoundWatch(Protect.SOUNDS, 0).hear(samples, [], last=True).spans
    other = [part for span in merge(loud) for part in subtract(span, music)]
    return music, [span for span in other if span.duration >= SHORTEST]


def samples_of(audio: Audio) -> Floats:
    """The samples of a WAV file as ``footage`` writes them, in [-1, 1]."""
    return (np.frombuffer(audio.data[_HEADER:], "<i2") / 32768).astype(np.float32)


def _lines(spans: Sequence[Interval], offset: Ms, text: str) -> tuple[TimedText, ...]:
    return tuple(
        TimedText(start=to_seconds(s.start + offset), end=to_seconds(s.end + offset), text=text)
        for s in spans
    )
