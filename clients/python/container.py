"""Which container a file is, and whether its bytes can be decoded as they come.

By its first bytes and box headers only; no media library.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from strad.wire.publishing import Container

HEAD = 4096
"""Bytes that tell the container."""

_TS_PACKETS = (188, 192, 204)
_TS_SYNC = 0x47

_SUFFIXES = {
    ".webm": Container.WEBM,
    ".mkv": Container.MATROSKA,
    ".mp4": Container.MP4,
    ".m4v": Container.MP4,
    ".mov": Container.MP4,
    ".ts": Container.MPEGTS,
    ".mts": Container.MPEGTS,
    ".m2ts": Container.MPEGTS,
    ".flv": Container.FLV,
    ".ogg": Container.OGG,
    ".ogv": Container.OGG,
}


def container_of(path: Path, head: bytes = b"") -> Container | None:
    """By ``head``, the file's first bytes, else by the suffix; None for any other kind."""
    return _by_magic(head) or (None if len(head) >= 16 else _SUFFIXES.get(path.suffix.lower()))


def streams_as_bytes(container: Container, file: BinaryIO, size: int) -> bool:
    """Whether a decoder that can't seek can read the file from its start.

    An MP4 can when its index (``moov``) comes before its media (``mdat``).
    """
    if container is not Container.MP4:
        return True
    at = 0
    while at + 16 <= size:
        file.seek(at)
        length, kind = _box(file.read(16), size - at)
        if kind in (b"moov", b"mdat") or length < 8:
            return kind == b"moov"
        at += length
    return False


def _by_magic(head: bytes) -> Container | None:
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return Container.WEBM if b"webm" in head[:80] else Container.MATROSKA
    if head[4:8] in (b"ftyp", b"styp"):
        return Container.MP4
    if head.startswith(b"FLV\x01"):
        return Container.FLV
    if head.startswith(b"OggS"):
        return Container.OGG
    return Container.MPEGTS if _is_mpegts(head) else None


def _is_mpegts(head: bytes) -> bool:
    return any(
        len(head) > 2 * step + first and all(head[first + n * step] == _TS_SYNC for n in range(3))
        for step in _TS_PACKETS
        for first in (0, 4)
    )


def _box(header: bytes, left: int) -> tuple[int, bytes]:
    length, kind = int.from_bytes(header[:4], "big"), header[4:8]
    if length == 1:
        length = int.from_bytes(header[8:16], "big")
    return (left if length == 0 else length), kind
