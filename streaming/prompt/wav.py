"""Chunks of sound as one WAV file. Pure."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from strad.timeline import Interval
from streaming.media import SAMPLE_RATE, SAMPLES_PER_MS, AudioChunk

HEADER = 44
"""Bytes before the samples."""
_WIDTH = 2
"""Bytes a sample."""


def wav(chunks: Iterable[AudioChunk], when: Interval) -> bytes:
    """The sound of ``when``, 16 kHz mono; silence where there is none."""
    length = when.duration * SAMPLES_PER_MS * _WIDTH
    pieces, filled = [_header(length)], 0
    for chunk in chunks:
        at = (chunk.t - when.start) * SAMPLES_PER_MS * _WIDTH
        data = chunk.pcm[max(0, filled - at) : max(0, length - at)]
        if data:
            gap = max(0, at - filled)
            pieces += [bytes(gap), data]
            filled += gap + len(data)
    return b"".join([*pieces, bytes(length - filled)])


def _header(length: int) -> bytes:
    """RIFF, 44 bytes: PCM, one channel, 16 bits."""
    form = (16, 1, 1, SAMPLE_RATE, SAMPLE_RATE * _WIDTH, _WIDTH, 8 * _WIDTH)
    return struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + length, b"WAVE", b"fmt ", *form, b"data", length
    )
