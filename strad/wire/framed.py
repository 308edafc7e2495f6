"""Framed media: a picture or a block of sound a binary message, for clients without a container.

Each message is a head of 16 bytes, big-endian, and the payload:

====== ===== =====================================================================
offset bytes
====== ===== =====================================================================
0      1     kind: 1 a JPEG, 2 sound
1      1     0
2      2     0
4      4     samples a second of sound; 0 for a JPEG
8      8     media time on the stream's own timeline, in microseconds, from 0
16           the JPEG, or 16-bit signed little-endian mono samples
====== ===== =====================================================================
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from strad.errors import ProtocolError
from strad.timeline import Ms

HEAD = struct.Struct(">BBHIQ")

LOWEST_RATE, HIGHEST_RATE = 8_000, 96_000
"""Samples a second of sound that can be told apart from a mistake."""

MAX_US = 100_000_000 * 1_000_000
"""``strad.wire.message.MAX_SECONDS``; this file is read by decoding children, without pydantic."""


class FramedKind(IntEnum):
    """What a message carries."""

    JPEG = 1
    SOUND = 2


@dataclass(frozen=True, slots=True)
class Framed:
    """One message of framed media."""

    kind: FramedKind
    us: int
    """Media time of the picture, or of the first sample, in microseconds."""
    payload: bytes
    rate: int = 0
    """Samples a second; 0 for a picture."""

    @property
    def t(self) -> Ms:
        """Its media time, to the nearest millisecond."""
        return (self.us + 500) // 1000

    @property
    def end_us(self) -> int:
        """Where it ends; a picture ends where it begins."""
        if self.kind is FramedKind.JPEG:
            return self.us
        return self.us + len(self.payload) // 2 * 1_000_000 // self.rate

    def to_bytes(self) -> bytes:
        """The message as it goes over the wire."""
        return HEAD.pack(self.kind, 0, 0, self.rate, self.us) + self.payload


def picture(t: Ms, jpeg: bytes) -> Framed:
    """A JPEG shown from ``t`` on."""
    return Framed(FramedKind.JPEG, t * 1000, jpeg)


def sound(us: int, pcm: bytes, rate: int = 16_000) -> Framed:
    """16-bit signed little-endian mono samples from ``us`` microseconds on."""
    return Framed(FramedKind.SOUND, us, pcm, rate)


def parse_framed(message: bytes) -> Framed:
    """What a binary message carries. Raises ProtocolError, saying what is wrong with it."""
    if len(message) <= HEAD.size:
        raise ProtocolError(f"framed: a message has {HEAD.size} bytes of head and a payload")
    number, zero, zeros, rate, us = HEAD.unpack_from(message)
    if zero or zeros:
        raise ProtocolError("framed: bytes 1 to 3 of the head must be 0")
    if us > MAX_US:
        raise ProtocolError("framed: a media time that no stream has")
    payload = message[HEAD.size :]
    match number:
        case FramedKind.JPEG:
            _check_jpeg(payload, rate)
        case FramedKind.SOUND:
            _check_sound(payload, rate)
        case _:
            raise ProtocolError(f"framed: kind {number} is neither 1 (JPEG) nor 2 (sound)")
    return Framed(FramedKind(number), us, payload, rate)


def _check_jpeg(payload: bytes, rate: int) -> None:
    if rate:
        raise ProtocolError("framed: a JPEG's rate must be 0")
    if not payload.startswith(b"\xff\xd8\xff"):
        raise ProtocolError("framed: kind 1, but the payload is no JPEG")


def _check_sound(payload: bytes, rate: int) -> None:
    if not LOWEST_RATE <= rate <= HIGHEST_RATE:
        raise ProtocolError(
            f"framed: sound of {LOWEST_RATE} to {HIGHEST_RATE} samples a second, not {rate}"
        )
    if len(payload) % 2:
        raise ProtocolError("framed: sound is 16-bit samples; the payload has half a one")
