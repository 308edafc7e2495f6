"""Pictures and sound of a part of a video, as a model takes them. Decoded in the guarded child."""

from __future__ import annotations

import io
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from strad.errors import MediaError
from strad.questions import Segment
from strad.timeline import Interval, from_seconds
from strad_engines.messages import Audio, Image, Video
from streaming.excerpts import Excerpt, excerpts
from streaming.media import SAMPLE_RATE, AudioChunk

MOST_FRAMES = 60
"""Of one part; longer ones have fewer than one a second."""


@dataclass(frozen=True, slots=True)
class Footage:
    """What a part shows, and how it sounds."""

    video: Video
    """Evenly spaced, the first picture at the part's start."""
    step_s: float
    """Seconds between pictures."""
    audio: Audio | None
    """16 kHz, one channel; None where there is no sound."""


async def footage(film: Path, segment: Segment, *, fps: float = 1.0) -> Footage:
    """A part of a film. Raises MediaError and its kinds."""
    when = Interval(from_seconds(segment[0]), from_seconds(segment[1]))
    count = max(2, min(MOST_FRAMES, round(when.duration / 1000 * fps)))
    shown = Interval(when.start, when.end - when.duration // count)
    found = [one async for one in excerpts(film, [shown], count=count, sound=False)]
    heard = [one async for one in excerpts(film, [when], count=1, sound=True)]
    picture, sound = found[0], heard[0]
    if not isinstance(picture, Excerpt) or not isinstance(sound, Excerpt):
        raise MediaError(f"{film}: it has nothing from {segment[0]:.1f} to {segment[1]:.1f} s")
    span = (picture.when.duration or 1) / 1000
    step = span / (count - 1)
    frames = tuple(Image(frame.jpeg) for frame in picture.frames)
    return Footage(Video(frames, fps=1 / step), step, wav(sound.audio, when))


def wav(chunks: Sequence[AudioChunk], when: Interval) -> Audio | None:
    """The sound of ``when`` as a WAV file; what is missing in it is silence."""
    if not chunks:
        return None
    pcm = bytearray(2 * when.duration * SAMPLE_RATE // 1000)
    for chunk in chunks:
        at = 2 * (chunk.t - when.start) * SAMPLE_RATE // 1000
        piece = chunk.pcm[-at:] if at < 0 else chunk.pcm
        start = max(0, at)
        room = max(0, len(pcm) - start)
        pcm[start : start + len(piece[:room])] = piece[:room]
    out = io.BytesIO()
    with wave.open(out, "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(2)
        target.setframerate(SAMPLE_RATE)
        target.writeframes(bytes(pcm))
    return Audio(out.getvalue())
