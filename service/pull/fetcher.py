"""The fetcher: HTTP GET of what callers name, with a limit on every wait, size and redirect."""

from __future__ import annotations

import base64
import ssl
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

import httpcore

from service.pull.addresses import Allowed
from service.pull.network import GuardedNetwork, Resolver, system_resolver
from service.settings import Pull
from strad.errors import MediaError, PeerGoneError, RefusedSourceError
from streaming.sources import Protocol, check_url, redacted

REDIRECTS = frozenset({301, 302, 303, 307, 308})
AGENT = "strad"


@dataclass(frozen=True, slots=True)
class Answer:
    """One open answer; its body is read while the context it came from is open."""

    url: str = field(repr=False)
    """Where it came from in the end."""
    status: int
    content_type: str
    """Lower case, without parameters."""
    _body: AsyncIterator[bytes] = field(repr=False)

    @property
    def name(self) -> str:
        """The URL, as it may be shown."""
        return redacted(self.url)

    async def chunks(self, most: int | None = None) -> AsyncIterator[bytes]:
        """The body as it comes. Raises PeerGoneError; MediaError past ``most`` bytes."""
        taken = 0
        async for chunk in _told(self._body, self.name):
            taken += len(chunk)
            if most is not None and taken > most:
                raise MediaError(f"{self.name}: is over {most} bytes")
            yield chunk

    async def text(self, most: int) -> str:
        """The whole body. Raises PeerGoneError, MediaError."""
        body = b"".join([chunk async for chunk in self.chunks(most)])
        return body.decode("utf-8-sig", "replace")


class Fetcher:
    """Made by ``fetching``."""

    def __init__(self, settings: Pull, pool: httpcore.AsyncConnectionPool) -> None:
        self._settings = settings
        self._pool = pool

    @asynccontextmanager
    async def get(
        self, url: str, span: tuple[int, int] | None = None, also: Collection[int] = ()
    ) -> AsyncIterator[Answer]:
        """GET ``url``; ``span``: only these bytes of it, from the first to before the second.

        Raises RefusedSourceError for where we won't go, PeerGoneError for what can't be reached,
        MediaError for an answer that isn't 200 (206 for a span) nor among ``also``.
        """
        headers = _headers(url)
        wanted = 200
        if span is not None:
            headers["Range"] = f"bytes={span[0]}-{span[1] - 1}"
            wanted = 206
        for _ in range(self._settings.redirects + 1):
            check_url(url, Protocol.HTTP)
            async with AsyncExitStack() as stack:
                response = await self._open(stack, url, headers)
                location = _header(response, b"location")
                if response.status in REDIRECTS and location:
                    there = urljoin(url, location)
                    if not _same_origin(url, there):
                        headers.pop("Authorization", None)
                    url = there
                    continue
                if response.status >= 500 or response.status == 429:
                    raise PeerGoneError(f"{redacted(url)}: answered {response.status}")
                if response.status != wanted and response.status not in also:
                    raise MediaError(f"{redacted(url)}: answered {response.status}")
                kind = _header(response, b"content-type").partition(";")[0].strip().lower()
                yield Answer(url, response.status, kind, response.aiter_stream())
                return
        raise RefusedSourceError(f"{redacted(url)}: more than {self._settings.redirects} redirects")

    async def _open(
        self, stack: AsyncExitStack, url: str, headers: Mapping[str, str]
    ) -> httpcore.Response:
        limits = self._settings
        waits = {
            "connect": limits.connect,
            "read": limits.silence,
            "write": limits.connect,
            "pool": limits.connect,
        }
        try:
            return await stack.enter_async_context(
                self._pool.stream(
                    "GET", _bare(url), headers=[*headers.items()], extensions={"timeout": waits}
                )
            )
        except _FAULTS as error:
            raise PeerGoneError(f"{redacted(url)}: can't be reached: {_why(error)}") from None


_FAULTS = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    ssl.SSLError,
)


@asynccontextmanager
async def fetching(settings: Pull, resolve: Resolver = system_resolver) -> AsyncIterator[Fetcher]:
    """A fetcher with connections of its own, closed at the end."""
    network = GuardedNetwork(Allowed(settings.allow), resolve)
    async with httpcore.AsyncConnectionPool(
        ssl_context=ssl.create_default_context(), network_backend=network, max_connections=4
    ) as pool:
        yield Fetcher(settings, pool)


async def _told(body: AsyncIterator[bytes], name: str) -> AsyncIterator[bytes]:
    try:
        async for chunk in body:
            yield chunk
    except _FAULTS as error:
        raise PeerGoneError(f"{name}: broke off: {_why(error)}") from None


def _why(error: Exception) -> str:
    return str(error) or type(error).__name__


def _header(response: httpcore.Response, name: bytes) -> str:
    found = next((value for key, value in response.headers if key.lower() == name), b"")
    return found.decode("latin-1")


def _bare(url: str) -> str:
    """``url`` without user, password and fragment."""
    parts = urlsplit(url)
    netloc = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))


def _headers(url: str) -> dict[str, str]:
    headers = {"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
    parts = urlsplit(url)
    if parts.username is not None:
        user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        headers["Authorization"] = f"Basic {base64.b64encode(user.encode()).decode()}"
    return headers


def _same_origin(one: str, other: str) -> bool:
    a, b = urlsplit(one), urlsplit(other)
    return (a.scheme, a.hostname, a.port) == (b.scheme, b.hostname, b.port)
