"""A connection to the service: a WebSocket with a limit on every wait and typed errors."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from strad.errors import (
    FormatError,
    InputError,
    MediaError,
    OverloadedError,
    PeerGoneError,
    ProtocolError,
    StradError,
    WorkError,
)

CONNECT_LIMIT = 10.0
PING_EVERY = 20.0
PONG_WAIT = 180.0
"""Seconds. Long, since the service reads our ping after the media that went before it."""

_CLOSED: dict[int, type[StradError]] = {
    1002: ProtocolError,
    1003: MediaError,
    1007: FormatError,
    1008: InputError,
    1009: ProtocolError,
    1011: WorkError,
    1013: OverloadedError,
}


class Connection:
    """Made by ``open_connection``."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    async def send(self, message: str | bytes, limit: float) -> None:
        """Text or binary. Waits while the service takes no more, at most ``limit`` seconds.

        Raises PeerGoneError; when the service closed, the error that its code means.
        """
        try:
            async with asyncio.timeout(limit):
                await self._socket.send(message)
        except TimeoutError:
            raise PeerGoneError(f"the service took nothing for {limit:g} s") from None
        except ConnectionClosed as closed:
            raise closing_error(closed) from None

    async def receive(self, limit: float | None) -> str | None:
        """The next message; None when the service has closed normally. Raises as ``send`` does."""
        try:
            async with asyncio.timeout(limit):
                message = await self._socket.recv(decode=True)
        except TimeoutError:
            raise PeerGoneError(f"the service said nothing for {limit:g} s") from None
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code == 1000:
                return None
            raise closing_error(closed) from None
        except UnicodeDecodeError:
            raise ProtocolError("the service sent binary where text is due") from None
        return message


@asynccontextmanager
async def open_connection(url: str, *, direct: bool, token: str = "") -> AsyncIterator[Connection]:
    """Connect, and close at the end. ``direct``: through no proxy. Raises PeerGoneError.

    Closed with 1000 when the block ends, fails or is cancelled, but not when the work failed.

    ``token``: a key or token, for a service that asks for one.
    """
    try:
        socket = await connect(
            url,
            open_timeout=CONNECT_LIMIT,
            ping_interval=PING_EVERY,
            ping_timeout=PONG_WAIT,
            close_timeout=5.0,
            compression=None,
            proxy=None if direct else True,
            additional_headers={"Authorization": f"Bearer {token}"} if token else None,
        )
    except (OSError, TimeoutError, InvalidHandshake, InvalidURI) as error:
        what = str(error) or "no answer"
        hint = (
            "; is strad serve running there?" if isinstance(error, ConnectionRefusedError) else ""
        )
        raise PeerGoneError(f"can't connect to {url.partition('?')[0]}: {what}{hint}") from None
    async with socket:
        try:
            yield Connection(socket)
        except WorkError:
            raise  # not meant: whoever comes back may go on
        except BaseException:
            await socket.close(1000)
            raise


def closing_error(closed: ConnectionClosed) -> StradError:
    """What the service meant when it closed the connection."""
    if closed.rcvd is None:
        return PeerGoneError("the connection to the service broke")
    code, reason = closed.rcvd.code, closed.rcvd.reason
    return _CLOSED.get(code, PeerGoneError)(reason or f"the service closed with code {code}")
