"""Decoded sound -> 16 kHz mono without holes from where the media begins on."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import av
from av.audio.fifo import AudioFifo
from av.audio.resampler import AudioResampler

from strad.timeline import Ms
from streaming.media import SAMPLE_RATE, SAMPLES_PER_MS, AudioChunk

CHUNK: Ms = 100
CHUNK_BYTES = CHUNK * SAMPLES_PER_MS * 2
BATCHES = 10
"""A resampler's calls cost more than its work: sound is gathered for this part of a second."""
JITTER = 40 * SAMPLES_PER_MS
"""Containers round times; samples this far from their PTS still follow on. In samples."""


class SoundTrack:
    """Gapless by construction: only ever appends, at the place where it stands."""

    def __init__(self, emit: Callable[[AudioChunk], None], begins: Ms = 0) -> None:
        self._emit = emit
        self._buffer = bytearray()
        self._sent = begins * SAMPLES_PER_MS
        """As a place on the stream's timeline, like all samples counted here."""
        self._next = self._sent
        self._left_over = 0.0
        self._skip = 0
        self._gathered = AudioFifo()
        self._resampler: AudioResampler | None = None
        self._form: tuple[str, str, int] | None = None

    @property
    def end(self) -> Ms:
        """Up to where there is sound."""
        return self._written // SAMPLES_PER_MS

    @property
    def _written(self) -> int:
        return self._sent + len(self._buffer) // 2

    def take(self, frame: av.AudioFrame, at: int | None) -> None:
        """The next decoded sound, which belongs at sample ``at`` (None: where we stand).

        Holes are filled, overlaps cut off.
        """
        at = self._next if at is None else at
        if abs(at - self._next) > JITTER:
            self._move_to(at)
        form = (frame.format.name, frame.layout.name, frame.sample_rate)
        if form != self._form:
            self._drain()
            self._form = form
        length = frame.samples * SAMPLE_RATE / frame.sample_rate + self._left_over
        self._next += int(length)
        self._left_over = length % 1
        frame.pts = None
        self._gathered.write(frame)
        if self._gathered.samples >= frame.sample_rate // BATCHES:
            self._resample()

    def fill_to(self, t: Ms) -> None:
        """Silence up to ``t``, where there is no sound yet."""
        if t * SAMPLES_PER_MS > self._written:
            self._move_to(t * SAMPLES_PER_MS)

    def finish(self, end: Ms) -> None:
        """The media is over; send what is left, up to a whole millisecond at least ``end``."""
        self._drain()
        self.fill_to(max(end, -(-self._written // SAMPLES_PER_MS)))
        self._send(len(self._buffer))

    def _move_to(self, at: int) -> None:
        self._drain()
        missing = at - self._written
        self._skip = max(0, -missing)
        while missing > 0:
            piece = min(missing, SAMPLE_RATE)
            self._write(bytes(2 * piece))
            missing -= piece
        self._next = at
        self._left_over = 0.0

    def _resample(self) -> None:
        if self._resampler is None:
            self._resampler = AudioResampler("s16", "mono", SAMPLE_RATE)
        self._append(self._resampler.resample(self._gathered.read()))

    def _drain(self) -> None:
        if self._gathered.samples:
            self._resample()
        self._gathered = AudioFifo()
        if self._resampler is not None:
            self._append(self._resampler.resample(None))
            self._resampler = None

    def _append(self, frames: list[av.AudioFrame]) -> None:
        for frame in frames:
            self._write(bytes(frame.planes[0])[: frame.samples * 2])

    def _write(self, pcm: bytes) -> None:
        cut = min(self._skip, len(pcm) // 2)
        self._skip -= cut
        self._buffer += pcm[2 * cut :]
        while len(self._buffer) >= CHUNK_BYTES:
            self._send(CHUNK_BYTES)

    def _send(self, size: int) -> None:
        if size:
            self._emit(AudioChunk(self._sent // SAMPLES_PER_MS, bytes(self._buffer[:size])))
            del self._buffer[:size]
            self._sent += size // 2


def sample_of(ticks: int, base: Fraction) -> int:
    """The sample, at 16 kHz, that belongs at a time in units of ``base`` seconds."""
    return ticks * base.numerator * SAMPLE_RATE // base.denominator
