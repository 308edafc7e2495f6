"""Decoded media on the stream's timeline: pictures and sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from strad.timeline import Epoch, Interval, Ms

SAMPLE_RATE = 16_000
"""Samples a second of all sound inside Strad, mono."""

SAMPLES_PER_MS = SAMPLE_RATE // 1000


@dataclass(frozen=True, slots=True)
class VideoFrame:
    """The picture shown at ``t``, a point of the absolute grid, as a JPEG."""

    t: Ms
    jpeg: bytes
    width: int
    height: int
    hash: int
    """64-bit perceptual difference hash; equal pictures differ in few bits."""


@dataclass(frozen=True, slots=True)
class AudioChunk:
    """Sound from ``t`` on: 16 kHz mono, signed 16-bit little-endian."""

    t: Ms
    pcm: bytes

    @property
    def when(self) -> Interval:
        return Interval(self.t, self.t + len(self.pcm) // 2 // SAMPLES_PER_MS)


@dataclass(frozen=True, slots=True)
class EpochStarted:
    """The player's clock jumped, or its rate or source changed."""

    epoch: Epoch


@dataclass(frozen=True, slots=True)
class MediaNotice:
    """Something the listener should be told once about the media, in words."""

    code: str
    """no-audio | no-video | corrupt-packets | clock-jump | size-change | frame-rate-capped |
    track-ignored"""
    t: Ms
    message: str
    count: int = 1


Media: TypeAlias = VideoFrame | AudioChunk | EpochStarted | MediaNotice
"""What ingest yields, in order of arrival. Frames and chunks each rise in time."""
