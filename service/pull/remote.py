"""Remote media: a URL as a container and its bytes, whichever way it is fetched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from service.pull.fetcher import Answer, Fetcher, fetching
from service.pull.hls import HlsSource, pause
from service.pull.network import Resolver, system_resolver
from service.settings import Pull
from strad.errors import MediaError, PeerGoneError, RefusedSourceError
from strad.wire.publishing import Container
from streaming.sources import Protocol, check_url

TYPES = {
    "video/webm": Container.WEBM,
    "audio/webm": Container.WEBM,
    "video/x-matroska": Container.MATROSKA,
    "video/matroska": Container.MATROSKA,
    "video/mp4": Container.MP4,
    "audio/mp4": Container.MP4,
    "video/mp2t": Container.MPEGTS,
    "video/x-flv": Container.FLV,
    "video/ogg": Container.OGG,
    "application/ogg": Container.OGG,
}
ENDINGS = {
    ".webm": Container.WEBM,
    ".mkv": Container.MATROSKA,
    ".mp4": Container.MP4,
    ".m4v": Container.MP4,
    ".mov": Container.MP4,
    ".ts": Container.MPEGTS,
    ".m2ts": Container.MPEGTS,
    ".flv": Container.FLV,
    ".ogv": Container.OGG,
    ".ogg": Container.OGG,
}
LASTED = 30.0
"""Wall seconds after which a connection that breaks off counts as one that had worked."""

PLAYLISTS = frozenset({"application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl"})


@dataclass(frozen=True, slots=True)
class Remote:
    """Open media; ``chunks`` is iterated once."""

    container: Container
    chunks: AsyncIterator[bytes]


def protocol_of(url: str) -> Protocol:
    """How ``url`` is fetched. Raises RefusedSourceError for what we would have to leave to others.

    FFmpeg would resolve the names of rtmp, rtsp and srt itself and follow where it is sent, past
    every check of ours.
    """
    scheme = url.partition(":")[0].lower()
    if scheme in ("rtmp", "rtmps", "rtsp", "rtsps", "srt"):
        raise RefusedSourceError(
            f"{scheme}: can't be guarded: let a media server take it, and give its HLS, or push"
        )
    hls = url.partition("?")[0].lower().endswith(".m3u8")
    protocol = Protocol.HLS if hls else Protocol.HTTP
    check_url(url, protocol)
    return protocol


@asynccontextmanager
async def open_remote(
    url: str,
    settings: Pull,
    container: Container | None = None,
    resolve: Resolver = system_resolver,
) -> AsyncIterator[Remote]:
    """The media behind ``url``; ``container``: what it is in, where its server doesn't say.

    Raises RefusedSourceError, PeerGoneError, MediaError, here and while the bytes come.
    """
    protocol = protocol_of(url)
    async with fetching(settings, resolve) as fetcher:
        if protocol is Protocol.HTTP:
            async with fetcher.get(url) as answer:
                if answer.content_type not in PLAYLISTS:
                    found = container or _container(answer)
                    yield Remote(found, _lasting(fetcher, settings, answer, found))
                    return
        source = HlsSource(fetcher, settings, url)
        yield Remote(await source.open(), source.chunks())


def _container(answer: Answer) -> Container:
    ending = PurePosixPath(urlsplit(answer.url).path).suffix.lower()
    found = TYPES.get(answer.content_type) or ENDINGS.get(ending)
    if found is None:
        raise MediaError(f"{answer.name}: name its container; its server says nothing we know")
    return found


async def _lasting(
    fetcher: Fetcher, settings: Pull, answer: Answer, container: Container
) -> AsyncIterator[bytes]:
    """The body; of MPEG-TS, which can be joined anywhere, asked for again when it breaks off."""
    clock = asyncio.get_running_loop().time
    failed = 0
    body = answer.chunks()
    while True:
        begun = clock()
        try:
            async for chunk in body:
                yield chunk
        except PeerGoneError:
            failed = 1 if clock() - begun > LASTED else failed + 1
            if container is not Container.MPEGTS or failed > settings.reconnects:
                raise
        else:
            return
        await asyncio.sleep(pause(failed - 1))
        body = _asked_again(fetcher, answer.url)


async def _asked_again(fetcher: Fetcher, url: str) -> AsyncIterator[bytes]:
    async with fetcher.get(url) as answer:
        async for chunk in answer.chunks():
            yield chunk
