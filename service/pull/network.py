"""The network as the fetcher sees it: every connection is to an address that was just checked.

A name is resolved once a connection, and the connection goes to the very address that was looked
at, so a name that answers differently the second time (DNS rebinding) gains nothing. TLS still
verifies the name.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, Protocol

import httpcore

from service.pull.addresses import Allowed
from strad.errors import RefusedSourceError

MOST_TRIED = 4
"""Addresses of one name."""


class Resolver(Protocol):
    """Finds the addresses of a name."""

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Addresses, best first. Raises OSError where there are none."""
        ...


async def system_resolver(host: str, port: int) -> Sequence[str]:
    """The operating system's, which also reads 127.1 and 0x7f000001 as what they are."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Connects where ``allowed`` says, and nowhere else."""

    def __init__(self, allowed: Allowed, resolve: Resolver = system_resolver) -> None:
        self._allowed = allowed
        self._resolve = resolve
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises RefusedSourceError, and httpcore's errors."""
        last: httpcore.ConnectError = httpcore.ConnectError(f"{host}: no address")
        for address in (await self._addresses(host, port, timeout))[:MOST_TRIED]:
            try:
                return await self._sockets.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except httpcore.ConnectError as error:
                last = error
        raise last

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        socket_options: Iterable[Any] | None = None,
    ) -> NoReturn:
        """Never."""
        raise RefusedSourceError("sockets of this machine are not opened")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str, port: int, limit: float | None) -> Sequence[str]:
        """All of the name's addresses; one that is refused refuses them all."""
        try:
            async with asyncio.timeout(limit):
                found = await self._resolve(host, port)
        except TimeoutError:
            raise httpcore.ConnectTimeout(f"{host}: its address was not found in time") from None
        except (OSError, UnicodeError):
            raise httpcore.ConnectError(f"{host}: no such host") from None
        for address in found:
            self._allowed.check(host, address)
        return list(dict.fromkeys(found))
