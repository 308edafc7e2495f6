"""The latest sound of one stream, by media time. Pure."""

from __future__ import annotations

from strad.timeline import Interval, Ms
from streaming.media import SAMPLES_PER_MS

BYTES_PER_MS = SAMPLES_PER_MS * 2


class Sound:
    """Gapless 16 kHz 16-bit sound from ``start`` on; what is forgotten is given back."""

    def __init__(self, start: Ms) -> None:
        self._pcm = bytearray()
        self.start = start
        """Media time of the first sample still here."""

    @property
    def end(self) -> Ms:
        return self.start + len(self._pcm) // BYTES_PER_MS

    def append(self, pcm: bytes) -> None:
        self._pcm += pcm

    def cut(self, when: Interval) -> bytes:
        """The sound of ``when``, as far as it is here."""
        first = max(0, when.start - self.start) * BYTES_PER_MS
        return bytes(self._pcm[first : max(0, when.end - self.start) * BYTES_PER_MS])

    def forget_before(self, t: Ms) -> None:
        """Let go of what lies before ``t``."""
        gone = min(max(0, t - self.start), len(self._pcm) // BYTES_PER_MS)
        del self._pcm[: gone * BYTES_PER_MS]
        self.start += gone
