"""Opening media with every door but the intended one shut, and saying plainly what is wrong."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import av
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from strad.errors import (
    DecoderError,
    InputError,
    MediaError,
    NoMediaError,
    PeerGoneError,
    RefusedSourceError,
    StradError,
)
from streaming.decoding.messages import Order

SNIFFED = 64
FEW = "24"
"""Tracks of a container that may grow. PyAV allocates a byte for each track there is at the start,
and reads those of later ones too; an allocation is never smaller than 24 bytes."""
MANY = "64"
INDEXED = frozenset({"mp4", "matroska", "avi", "asf"})
"""Containers whose length is said, not guessed from the times in them."""
FIXED = frozenset({"mp4", "webm", "matroska"})
"""No track is ever added to these."""
IMAGES: tuple[tuple[bytes, int, str], ...] = (
    (b"\x89PNG", 0, "a PNG"),
    (b"\xff\xd8\xff", 0, "a JPEG"),
    (b"GIF8", 0, "a GIF"),
    (b"WEBP", 8, "a WebP"),
    (b"II*\0", 0, "a TIFF"),
    (b"MM\0*", 0, "a TIFF"),
    (b"ftypavif", 4, "an AVIF"),
    (b"ftypheic", 4, "a HEIC"),
    (b"ftypmif1", 4, "a HEIF"),
)
PLAYLISTS: tuple[tuple[bytes, str], ...] = (
    (b"#EXTM3U", "an m3u8 playlist"),
    (b"ffconcat", "an ffconcat script"),
    (b"<MPD", "a DASH manifest"),
    (b"v=0\r\no=", "an SDP description"),
    (b"v=0\no=", "an SDP description"),
)


def open_container(order: Order) -> InputContainer:
    """The opened media. Raises a StradError whose text says what is wrong with it."""
    location = order.location
    if not location:
        location = "pipe:0"
    elif order.protocols == "file":
        check_file(Path(location), order.name)
        location = f"file:{location}"
    try:
        return opened(location, order)
    except av.error.FFmpegError as error:
        raise refusal(error, order) from error
    except MemoryError as error:
        raise outgrown(order) from error


def opened(location: str, order: Order) -> InputContainer:
    """The container, with few tracks where that will do (see ``FEW``)."""
    grows = order.format not in FIXED
    settings = options(order) | {"max_streams": FEW if grows else MANY}
    try:
        return av.open(location, format=order.format or None, options=settings)
    except av.error.MemoryError:
        if not order.location or order.format:
            raise
        return av.open(location, options=settings | {"max_streams": MANY})


def options(order: Order) -> dict[str, str]:
    """FFmpeg's settings: what may be opened, and how much may be read to find out what it is."""
    found = {
        "protocol_whitelist": order.protocols,
        "format_whitelist": order.formats,
        # An MPEG-TS whose track moves to another PID goes on as the same track.
        "merge_pmt_versions": "1",
        "probesize": "1000000",
        "analyzeduration": "2000000",
    }
    if order.live:
        found |= {"probesize": "200000", "analyzeduration": "500000"}
    if order.protocols.startswith("rtsp"):
        found["rtsp_transport"] = "tcp"
    return found


def check_file(path: Path, name: str) -> None:
    """Whether it is a file that could be media. Raises InputError, or a kind of it."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise InputError(f"{name}: is a directory; name a media file")
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{name}: is not a regular file")
        with path.open("rb") as file:
            head = file.read(SNIFFED)
    except FileNotFoundError:
        raise InputError(f"{name}: can't be read: no such file or directory") from None
    except OSError as error:
        raise InputError(f"{name}: can't be read ({os.strerror(error.errno or 0)})") from error
    check_head(head, name)


def check_head(head: bytes, name: str) -> None:
    """Whether these first bytes are plainly something other than media. Raises MediaError."""
    if not head:
        raise NoMediaError(f"{name}: is empty")
    for magic, at, kind in IMAGES:
        if head[at:].startswith(magic):
            raise MediaError(f"{name}: is {kind} image, not a video")
    for start, kind in PLAYLISTS:
        if start in head:
            raise RefusedSourceError(f"{name}: is {kind}, which is not opened as media")


def refusal(error: av.error.FFmpegError, order: Order) -> StradError:
    """What FFmpeg's refusal to open means to the person who asked."""
    match error:
        case av.error.MemoryError():
            return outgrown(order)
        case av.error.ProtocolNotFoundError():
            return RefusedSourceError(f"{order.name}: this build of FFmpeg can't fetch that")
        case av.error.HTTPClientError():
            return InputError(f"{order.name}: the server refused it ({error.strerror})")
        case av.error.HTTPError():
            return PeerGoneError(f"{order.name}: the server failed ({error.strerror})")
        case OSError() if order.location and order.protocols != "file":
            return PeerGoneError(f"{order.name}: can't be reached ({error.strerror})")
    return nothing_decodable(order)


def nothing_decodable(order: Order) -> NoMediaError:
    """The error for bytes that are not the media they should be."""
    hint = ""
    if order.format == "mp4":
        hint = "; live MP4 must be fragmented, or have its index (moov) in front"
    elif order.format:
        hint = "; a stream must begin with its header (after a reconnect too)"
    kind = order.format or "media"
    return NoMediaError(f"{order.name}: no {kind} that can be decoded{hint}")


def outgrown(order: Order) -> DecoderError:
    """The error for media that needs more memory than one stream may have."""
    return DecoderError(f"{order.name}: needs more than {order.memory >> 20} MiB to decode")


def video_of(container: InputContainer) -> VideoStream | None:
    """The first stream of moving pictures that can be decoded; cover art is none."""
    for stream in container.streams.video:
        cover = stream.disposition & (Disposition.attached_pic | Disposition.timed_thumbnails)
        if not cover and stream.codec_context is not None:
            return stream
    return None


def audio_of(container: InputContainer) -> AudioStream | None:
    """The first stream of sound that can be decoded."""
    for stream in container.streams.audio:
        if stream.codec_context is not None:
            return stream
    return None


def span_of(order: Order, container: InputContainer) -> int:
    """How long, in microseconds, a file is, by an index or header of its own; else 0."""
    indexed = not INDEXED.isdisjoint(container.format.name.split(","))
    return container.duration or 0 if order.protocols == "file" and indexed else 0
