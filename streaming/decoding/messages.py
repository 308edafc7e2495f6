"""What a decoding child is told, and what it says: one order in, framed messages out.

The order is a 4-byte length and JSON. A message is ``>cI`` (kind, length) and a payload. The
parent trusts neither kind, length nor payload.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from typing import TypeAlias

from streaming.decoding.spans import Wanted
from streaming.media import AudioChunk, MediaNotice, VideoFrame

HEAD = struct.Struct(">cI")
LENGTH = struct.Struct(">I")
FRAME = struct.Struct(">qHHQ")
SOUND = struct.Struct(">q")
MAX_PAYLOAD = 16 * 1024 * 1024
"""Bytes. No 640 px JPEG and no chunk of sound comes near it."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to decode, how, and within which limits."""

    location: str
    """A path, a URL, or empty: media follows on stdin."""
    name: str
    """What errors call it."""
    format: str
    """The one demuxer to use, or empty: any of ``formats``."""
    formats: str
    """The demuxers that may be used, with commas between."""
    protocols: str
    """FFmpeg's protocols that may be used, with commas between."""
    live: bool
    """Media may end at any time, and need hold no video."""
    fps: float
    max_width: int
    jpeg_quality: int
    max_pixels: int
    max_fps: int
    max_corrupt: int
    memory: int
    """Bytes of address space."""
    sound_lag: int
    """How far, in ms, sound may lag before silence takes its place."""
    picture_lag: int
    """How far, in ms, pictures may lag before the last one is taken as still shown."""
    jump: int
    """A step forward in time of more than this, in ms, is a clock that jumped."""
    sound_alone: bool = False
    """A file need hold no video."""
    begins: int = 0
    """The stream time, in ms, of the media's first byte."""
    wanted: Wanted | None = None
    """Only these spans of a file; None: all of it."""
    times: tuple[int, ...] | None = None
    """Pictures at these times only, rising, in ms; None: ``fps`` a second."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The container is open and has something to decode."""

    duration: int | None
    """Ms, where the container says."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The child gives up; ``code`` is that of an error in strad.errors."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Ended:
    """The media is over, and all of it has been sent."""


Message: TypeAlias = VideoFrame | AudioChunk | MediaNotice | Opened | Failed | Ended


def pack_order(order: Order) -> bytes:
    """The order as it goes over the child's stdin."""
    body = json.dumps(asdict(order)).encode()
    return LENGTH.pack(len(body)) + body


def unpack_order(body: bytes) -> Order:
    """The order, without its length."""
    order = json.loads(body)
    if order["wanted"] is not None:
        spans = tuple((start, end) for start, end in order["wanted"].pop("spans"))
        order["wanted"] = Wanted(spans, **order["wanted"])
    if order["times"] is not None:
        order["times"] = tuple(order["times"])
    return Order(**order)


def pack(message: Message) -> bytes:
    """The message as it goes over the child's stdout."""
    kind, payload = _payload(message)
    return HEAD.pack(kind, len(payload)) + payload


def _payload(message: Message) -> tuple[bytes, bytes]:
    match message:
        case VideoFrame(t, jpeg, width, height, dhash):
            return b"F", FRAME.pack(t, width, height, dhash) + jpeg
        case AudioChunk(t, pcm):
            return b"A", SOUND.pack(t) + pcm
        case MediaNotice():
            return b"N", json.dumps(asdict(message)).encode()
        case Opened():
            return b"O", json.dumps(asdict(message)).encode()
        case Failed():
            return b"E", json.dumps(asdict(message)).encode()
        case Ended():
            return b"Z", b""


def unpack(kind: bytes, payload: bytes) -> Message:
    """The message. Raises ValueError, TypeError or struct.error on what no sane child says."""
    match kind:
        case b"F":
            return _frame(payload)
        case b"A":
            (t,) = SOUND.unpack_from(payload)
            return AudioChunk(t, payload[SOUND.size :])
        case b"N":
            return MediaNotice(**json.loads(payload))
        case b"O":
            return Opened(**json.loads(payload))
        case b"E":
            return Failed(**json.loads(payload))
        case b"Z":
            return Ended()
    raise ValueError(f"unknown message {kind!r}")


def _frame(payload: bytes) -> VideoFrame:
    t, width, height, dhash = FRAME.unpack_from(payload)
    return VideoFrame(t, payload[FRAME.size :], width, height, dhash)
