"""Where media comes from, and what we refuse to open. No client's file name is ever opened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from strad.errors import RefusedSourceError
from strad.timeline import Ms

MAX_URL = 4096
"""Characters."""


class Container(StrEnum):
    """What live bytes are wrapped in. The sender names it, and nothing else is tried."""

    WEBM = "webm"
    MP4 = "mp4"
    """Fragmented, or with its index in front."""
    MPEGTS = "mpegts"
    FLV = "flv"
    OGG = "ogg"
    MATROSKA = "matroska"
    FRAMED = "framed"
    """None: single pictures and blocks of sound (strad.wire.framed)."""


class Protocol(StrEnum):
    """How a URL is fetched. Only HTTP needs no asking by name."""

    HTTP = "http"
    RTMP = "rtmp"
    SRT = "srt"
    RTSP = "rtsp"
    HLS = "hls"


SCHEMES: dict[Protocol, frozenset[str]] = {
    Protocol.HTTP: frozenset({"http", "https"}),
    Protocol.RTMP: frozenset({"rtmp", "rtmps"}),
    Protocol.SRT: frozenset({"srt"}),
    Protocol.RTSP: frozenset({"rtsp", "rtsps"}),
    Protocol.HLS: frozenset({"http", "https"}),
}


@dataclass(frozen=True, slots=True)
class FileSource:
    """A media file on this machine, chosen by whoever runs us."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class UrlSource:
    """Media fetched from elsewhere. ``repr`` and ``name`` never show user names or passwords."""

    url: str = field(repr=False)
    protocol: Protocol = Protocol.HTTP
    begins: Ms = 0
    """The stream time at which its media begins."""

    @property
    def name(self) -> str:
        """The URL as it may be logged: without user, password, query and fragment."""
        return redacted(self.url)


@dataclass(frozen=True, slots=True)
class BytesSource:
    """Live bytes from a socket, in any cut, of one container named by the sender."""

    container: Container
    chunks: AsyncIterator[bytes] = field(repr=False)
    begins: Ms = 0
    """The stream time at which the first byte's media lies."""

    @property
    def name(self) -> str:
        return f"the {self.container} stream"


Source: TypeAlias = FileSource | UrlSource | BytesSource


def redacted(url: str) -> str:
    """``url`` without user, password, query and fragment; "a URL" when it can't be read."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "a URL"
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{port}{parts.path}"


async def admit(source: Source) -> None:
    """The one gate a source passes before anything opens it.

    What a host name resolves to is to be judged here too, which is why this is a coroutine.
    Raises RefusedSourceError.
    """
    if isinstance(source, UrlSource):
        check_url(source.url, source.protocol)


def check_url(url: str, protocol: Protocol) -> SplitResult:
    """The parts of a URL we may fetch. Raises RefusedSourceError, naming no password."""
    if len(url) > MAX_URL or any(ord(c) <= 32 or ord(c) >= 127 for c in url):
        raise RefusedSourceError(
            f"a URL has at most {MAX_URL} characters, none of them a space or beyond ASCII: "
            "write %C3%A9 for é in a path, xn--… for it in a host's name"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise RefusedSourceError("not a URL: its host or port can't be read") from None
    if parts.scheme not in SCHEMES[protocol]:
        raise RefusedSourceError(_wrong_scheme(parts.scheme, protocol))
    if not parts.hostname or port == 0:
        raise RefusedSourceError(f"{redacted(url)}: no host to fetch it from")
    return parts


def _wrong_scheme(scheme: str, protocol: Protocol) -> str:
    for other, schemes in SCHEMES.items():
        if scheme in schemes:
            return f"{scheme}: is opened only when asked for by name (protocol {other})"
    wanted = " or ".join(f"{s}:" for s in sorted(SCHEMES[protocol]))
    return f"{scheme or 'no scheme'}: is not opened; {protocol} needs {wanted}"
