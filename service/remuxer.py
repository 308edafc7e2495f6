"""The remuxing child: a file's packets, copied into Matroska that can be read as it comes.

Run as ``python -m service.remuxer FILE`` by service.remux, which may kill it at any moment. Nothing
is decoded. Writes pieces to stdout, each with the media time it reaches; keeps no clock.
"""

from __future__ import annotations

import os
import resource
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

import av
import av.logging
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.stream import Stream

from strad.errors import MediaError, NoMediaError, StradError
from strad.timeline import Ms
from streaming.decoding.container import audio_of, open_container, video_of
from streaming.ingest import IngestOptions, order_for
from streaming.sources import FileSource

HEAD = struct.Struct("<BIq")
"""Kind, bytes that follow, media time reached (ms)."""
PIECE, FAILED, ENDED, BEGUN = 1, 2, 3, 4
"""What a message is; BEGUN comes first, and its time is that of the file's first packet copied."""

NEAR_ZERO: Ms = 500
"""A file whose first packet lies so near to 0 begins at 0, as its decoder has it."""

MEMORY = 1024**3
"""Bytes of address space for the child."""

CLUSTER_MS = 500
"""Matroska holds back a cluster until it is full: short ones are on their way sooner."""


class Sink:
    """A file object that can't seek, and hands over what was written to it."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, data: bytes) -> int:
        self._written += data
        return len(data)

    def take(self) -> bytes:
        taken = bytes(self._written)
        self._written.clear()
        return taken


def remux(path: Path, since: Ms = 0) -> Iterator[tuple[Ms, bytes]]:
    """Pieces of Matroska, each with the media time it reaches; an empty one first, where it begins.

    From the last keyframe that isn't after ``since``; times count from the file's first packet.
    Raises MediaError and its kinds.
    """
    options = IngestOptions()
    with open_container(order_for(FileSource(path), options)) as source:
        tracks = [t for t in (video_of(source), audio_of(source)) if t is not None]
        if not tracks:
            raise NoMediaError(f"{path}: holds neither video nor sound that can be decoded")
        sink = Sink()
        with av.open(
            sink, "w", format="matroska", options={"cluster_time_limit": str(CLUSTER_MS)}
        ) as target:
            origin = _origin(source, tracks) if since else None
            if since and origin is not None:
                with suppress(av.error.FFmpegError):  # what can't be sought in is sent again
                    source.seek((origin + since) * 1000, backward=True)
            yield from _copy(source, target, tracks, sink, origin)
        yield 0, sink.take()


def _origin(source: InputContainer, tracks: Sequence[Stream]) -> Ms:
    """The file's own time that the stream has as 0."""
    first = next((_time(packet) for packet in _packets(source, tracks)), 0)
    return 0 if abs(first) < NEAR_ZERO else first


def _copy(
    source: InputContainer,
    target: OutputContainer,
    tracks: Sequence[Stream],
    sink: Sink,
    origin: Ms | None,
) -> Iterator[tuple[Ms, bytes]]:
    copies = {track.index: target.add_stream_from_template(track) for track in tracks}
    reached: Ms | None = None
    for packet in _packets(source, tracks):
        at = _time(packet)
        origin = at if origin is None else origin
        if reached is None:
            yield max(0, at - origin), b""
        reached = max(reached or 0, at - origin)
        packet.stream = copies[packet.stream.index]
        try:
            target.mux(packet)
        except av.error.FFmpegError as error:
            what = error.strerror
            raise MediaError(f"can't be copied into Matroska ({what}): convert it first") from error
        if piece := sink.take():
            yield reached, piece


def _packets(source: InputContainer, tracks: Sequence[Stream]) -> Iterator[Packet[Stream]]:
    """Packets with times, up to where the file breaks off."""
    try:
        for packet in source.demux(*tracks):
            if packet.dts is None or packet.is_corrupt:
                continue
            if packet.pts is None:
                packet.pts = packet.dts
            yield packet
    except av.error.FFmpegError:
        return


def _time(packet: Packet[Stream]) -> Ms:
    assert packet.dts is not None
    base = packet.time_base or Fraction(1, 1000)
    return int(packet.dts * base * 1000)


def main() -> None:
    """The child's whole life."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    av.logging.set_level(None)
    pipe = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    try:
        begun = False
        for reached, piece in remux(Path(sys.argv[1]), int(sys.argv[2])):
            if not begun:
                _send(pipe, BEGUN, reached, b"")
            begun = True
            _send(pipe, PIECE, reached, piece)
        _send(pipe, ENDED, 0, b"")
    except StradError as error:
        _send(pipe, FAILED, 0, f"{error.code} {error}".encode())
    except BrokenPipeError:
        os._exit(3)


def _send(pipe: BinaryIO, kind: int, reached: Ms, data: bytes) -> None:
    message = memoryview(HEAD.pack(kind, len(data), reached) + data)
    while message:
        message = message[pipe.write(message) :]


if __name__ == "__main__":
    main()
