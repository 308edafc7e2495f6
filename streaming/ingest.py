"""Media in: one decoding child a source, fed, watched, and never outliving its reader."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from strad.errors import (
    DecoderError,
    InputError,
    MediaError,
    NoMediaError,
    NoVideoError,
    PeerGoneError,
    RefusedSourceError,
    StradError,
)
from strad.timeline import Ms
from streaming.decoding.messages import (
    HEAD,
    MAX_PAYLOAD,
    Ended,
    Failed,
    Message,
    Opened,
    Order,
    pack_order,
    unpack,
)
from streaming.decoding.spans import Wanted
from streaming.media import Media
from streaming.sources import BytesSource, Container, FileSource, Protocol, Source, admit

PIECE = 64 * 1024
"""Bytes written to the child at once."""
KILL_SECONDS = 1.0

FORMATS = (
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,flv,ogg,avi,asf,wav,flac,mp3,aac,"
    "ivf,mxf,nut,h264,hevc,m4v,mpegvideo,amr,aiff,ac3,eac3,dv,rm"
)
"""Demuxers that open nothing but the bytes they are given."""
PROTOCOLS: dict[Protocol, str] = {
    Protocol.HTTP: "http,https,tcp,tls",
    Protocol.RTMP: "rtmp,rtmps,tcp,tls",
    Protocol.SRT: "srt",
    Protocol.RTSP: "rtsp,rtsps,tcp,tls,rtp,rtcp,udp",
    Protocol.HLS: "hls,http,https,tcp,tls,crypto",
}
PINNED: dict[Protocol, str] = {
    Protocol.HTTP: "",
    Protocol.RTMP: "flv",
    Protocol.SRT: "mpegts",
    Protocol.RTSP: "rtsp",
    Protocol.HLS: "hls",
}
KEPT_ENVIRONMENT = frozenset(
    {"PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}
)
"""All a child gets to see: no token and no key."""
ERRORS: dict[str, type[StradError]] = {
    kind.code: kind
    for kind in (
        *(DecoderError, InputError, MediaError, NoMediaError, NoVideoError),
        *(PeerGoneError, RefusedSourceError),
    )
}


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """What to make of the media, and how much of anything one stream may take."""

    fps: float = 1.0
    """Pictures a second, on the absolute grid ``k / fps``."""
    max_width: int = 640
    jpeg_quality: int = 85
    """As libjpeg counts, 1 to 100."""
    max_pixels: int = 8192 * 4352
    """Of one source picture."""
    max_fps: int = 240
    """Above it only keyframes are decoded."""
    max_corrupt: int = 300
    """Packets in a row of one track without anything decoded, before we give up."""
    memory: int = 1024**3
    """Bytes of address space for the child."""
    open_seconds: float = 15.0
    """Longest wait for the first decodable media."""
    open_bytes: int = 16 * 1024**2
    stall_seconds: float = 30.0
    """Longest wait for more of it."""
    stall_bytes: int = 64 * 1024**2
    sound_alone: bool = False
    """Whether a file need hold no video: for what is only listened to."""

    def __post_init__(self) -> None:
        if not 0 < self.fps <= 30 or self.max_width < 16 or not 1 <= self.jpeg_quality <= 100:
            raise ValueError("need 0 < fps <= 30, max_width >= 16, jpeg_quality of 1 to 100")


class Ingest(AsyncIterator[Media]):
    """Decoded media of one source. Enter it, iterate it once, leave it; leaving ends the child.

    Iteration raises MediaError and its kinds when the media can't be used, DecoderError when the
    child crashed, hung or outgrew its limits, PeerGoneError when a live sender fell silent,
    RefusedSourceError for a source we will not open.
    """

    def __init__(
        self,
        source: Source,
        options: IngestOptions,
        wanted: Wanted | None = None,
        *,
        times: tuple[Ms, ...] | None = None,
    ) -> None:
        """``wanted``: only these spans of a file (see ``streaming.excerpts``).

        ``times``: all its sound, and pictures at these rising times in place of the grid's.
        """
        self._source = source
        self._options = options
        self._wanted = wanted
        self._times = times
        self._group = asyncio.TaskGroup()
        self._feeder: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._failure: StradError | None = None
        self._opened = False
        self._fed = 0
        self._fed_at = 0.0
        self.duration: Ms | None = None
        """Of the whole media, once the first item has come, where the container says."""

    async def __aenter__(self) -> Self:
        await admit(self._source)
        await self._group.__aenter__()
        order = order_for(self._source, self._options)
        order = replace(order, wanted=self._wanted, times=self._times)
        self._process = await start_child(pack_order(order))
        if isinstance(self._source, BytesSource):
            self._feeder = self._group.create_task(self._feed(self._source.chunks))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._feeder:
            self._feeder.cancel()
        try:
            if self._process:
                await end_child(self._process)
        finally:
            if isinstance(error, asyncio.CancelledError):
                await self._group.__aexit__(kind, error, trace)
            else:
                await self._group.__aexit__(None, None, None)

    async def __anext__(self) -> Media:
        while True:
            match await self._message():
                case Opened(duration):
                    self._opened = True
                    self.duration = duration
                case Failed(code, text):
                    raise self._failure or ERRORS.get(code, DecoderError)(text)
                case Ended():
                    if self._failure:
                        raise self._failure
                    raise StopAsyncIteration
                case media:
                    self._fed = 0
                    return media

    async def _message(self) -> Message:
        assert self._process
        assert self._process.stdout
        options = self._options
        patience = options.stall_seconds if self._opened else options.open_seconds
        try:
            async with asyncio.timeout(patience):
                kind, size = HEAD.unpack(await self._process.stdout.readexactly(HEAD.size))
                if size > MAX_PAYLOAD:
                    raise DecoderError("the decoder sent nonsense")
                return unpack(kind, await self._process.stdout.readexactly(size))
        except TimeoutError:
            raise self._failure or self._stalled(patience) from None
        except asyncio.IncompleteReadError:
            raise self._failure or await self._died() from None
        except (ValueError, TypeError, struct.error) as error:
            raise DecoderError("the decoder sent nonsense") from error

    def _stalled(self, patience: float) -> StradError:
        name = self._source.name
        if isinstance(self._source, FileSource):
            return DecoderError(f"{name}: the decoder hung for {patience:g} s")
        silent = asyncio.get_running_loop().time() - self._fed_at >= patience
        if isinstance(self._source, BytesSource) and silent:
            return PeerGoneError(f"{name}: nothing was sent for {patience:g} s")
        return NoMediaError(f"{name}: no decodable media came for {patience:g} s")

    async def _died(self) -> DecoderError:
        assert self._process
        await end_child(self._process)
        code = self._process.returncode or 0
        how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return DecoderError(f"{self._source.name}: the decoder died ({how})")

    async def _feed(self, chunks: AsyncIterator[bytes]) -> None:
        assert self._process
        assert self._process.stdin
        pipe = self._process.stdin
        loop = asyncio.get_running_loop()
        self._fed_at = loop.time()
        try:
            async for chunk in chunks:
                for at in range(0, len(chunk), PIECE):
                    self._count(len(chunk[at : at + PIECE]))
                    pipe.write(chunk[at : at + PIECE])
                    await pipe.drain()
                    self._fed_at = loop.time()
        except (BrokenPipeError, ConnectionResetError):
            return
        except StradError as error:
            self._failure = error
        with suppress(BrokenPipeError, ConnectionResetError):
            pipe.close()
            await pipe.wait_closed()

    def _count(self, size: int) -> None:
        self._fed += size
        most = self._options.stall_bytes if self._opened else self._options.open_bytes
        if self._fed > most:
            hint = ""
            if isinstance(self._source, BytesSource) and self._source.container == Container.MP4:
                hint = "; live MP4 must be fragmented, or have its index (moov) in front"
            name = self._source.name
            raise NoMediaError(f"{name}: no decodable media in {most >> 20} MiB{hint}")


def open_media(source: Source, options: IngestOptions | None = None) -> Ingest:
    """Decoded media of ``source``, for ``async with``, then ``async for``."""
    return Ingest(source, options or IngestOptions())


def order_for(source: Source, options: IngestOptions) -> Order:
    """What the child is told about this source."""
    formats, location, protocols, pinned = FORMATS, "", "pipe", ""
    match source:
        case FileSource(path):
            location, protocols = os.path.abspath(path), "file"
        case BytesSource(container):
            formats = pinned = container.value
        case _:
            location, protocols = source.url, PROTOCOLS[source.protocol]
            pinned = PINNED[source.protocol]
            formats = ",".join(filter(None, (pinned, FORMATS)))
    live = isinstance(source, BytesSource)
    whole = pinned == "mp4"
    return Order(
        location=location,
        name=source.name,
        format=pinned,
        formats=formats,
        protocols=protocols,
        live=live,
        fps=options.fps,
        max_width=options.max_width,
        jpeg_quality=options.jpeg_quality,
        max_pixels=options.max_pixels,
        max_fps=options.max_fps,
        max_corrupt=options.max_corrupt,
        memory=options.memory,
        sound_alone=options.sound_alone,
        # One fragment of a piped MP4 holds all of one track, then all of the other.
        sound_lag=10_000 if whole else 2_000,
        picture_lag=2_000 if live and not whole else 10_000,
        jump=10_000 if pinned in {"mpegts", "flv", "rtsp", "hls"} else 60_000,
        begins=0 if isinstance(source, FileSource) else source.begins,
    )


async def start_child(order: bytes) -> Process:
    """A decoding child that has been told what to do; for live bytes its stdin stays open."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_ENVIRONMENT}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "streaming.decoder"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=kept | {"PYTHONPATH": str(Path(__file__).parent.parent)},
        start_new_session=True,
    )
    assert process.stdin
    with suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(order)
        await process.stdin.drain()
    return process


async def end_child(process: Process) -> None:
    """Kill the child if it still runs, and reap it; its pipes are closed.

    What it had said is read and dropped: asyncio sees no end to a child with a full pipe.
    """
    if process.stdin:
        process.stdin.close()
    if process.returncode is None:
        # Not process.kill(): that polls first, and would snatch the exit status from asyncio.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
    async with asyncio.timeout(KILL_SECONDS):
        while process.stdout and await process.stdout.read(PIECE):
            pass
        await process.wait()
