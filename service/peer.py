"""The other end of a WebSocket, with a limit on every wait."""

from __future__ import annotations

import asyncio
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from service.connections import teller_of
from strad.errors import (
    ExpiredError,
    OverloadedError,
    PeerGoneError,
    ProtocolError,
    StradError,
    UnauthorizedError,
)
from strad.wire.answering import Error
from strad.wire.auth import Auth, may_be_auth, parse_auth

CLOSE_WAIT = 5.0
"""Wall seconds a peer has to take its close frame."""

MAX_REASON = 120
"""Bytes of a close reason: a control frame holds 125, two of them the code."""


MOST_RENEWALS = 20
"""Auth messages refused in a row, after which a peer is taken for broken."""


class Permission(Protocol):
    """What the peer was let in with."""

    def left(self) -> float | None:
        """Wall seconds it still holds; None without an end."""
        ...

    def check(self) -> None:
        """Raises ExpiredError where it holds no longer."""
        ...

    async def renew(self, credential: str) -> None:
        """Go on with another one. Raises UnauthorizedError."""
        ...


class Peer:
    """Sends and receives on one accepted WebSocket, for as long as its permit holds."""

    left_with: int | None = None
    """The close code it left with, once it has."""

    def __init__(self, socket: WebSocket, permit: Permission | None = None) -> None:
        self._socket = socket
        self._teller = teller_of(socket.scope)
        self.permit = permit
        self._refused = 0
        self._waiting: asyncio.Timeout | None = None

    @property
    def address(self) -> str:
        """Where it comes from, for the operator."""
        client = self._socket.client
        return f"{client.host}:{client.port}" if client is not None else ""

    def holds(self) -> bool:
        """Whether its permit does."""
        try:
            if self.permit is not None:
                self.permit.check()
        except ExpiredError:
            return False
        return True

    def wake(self) -> None:
        """Look at the permit now, rather than with the next message."""
        if self._waiting is not None:
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def receive(self, limit: float | None) -> str | bytes | None:
        """The next message, text or binary; None when the peer is gone.

        Raises PeerGoneError when it says nothing for ``limit`` seconds, ExpiredError when its
        permit ends. Without a limit, the server's pings find out whether the peer is still there.
        """
        while True:
            message = await self._next(limit)
            if self.permit is None or not isinstance(message, str) or not may_be_auth(message):
                return message
            try:
                auth = parse_auth(message)
            except ProtocolError:
                return message
            await self._renew(auth, self.permit)

    async def _renew(self, auth: Auth, permit: Permission) -> None:
        try:
            await permit.renew(auth.token)
            self._refused = 0
        except (UnauthorizedError, OverloadedError) as refused:
            self._refused += 1
            if self._refused > MOST_RENEWALS:
                raise
            answer = Error.of(refused, answers=auth.id or auth.type, fatal=False)
            await self.send(answer.to_json(), CLOSE_WAIT)

    async def _next(self, limit: float | None) -> str | bytes | None:
        left = None if self.permit is None else self.permit.left()
        waits = [wait for wait in (limit, left) if wait is not None]
        try:
            async with asyncio.timeout(min(waits, default=None)) as self._waiting:
                message = await self._socket.receive()
        except TimeoutError:
            self._check_permit()
            raise PeerGoneError(f"nothing came for {limit or 0:g} s") from None
        finally:
            self._waiting = None
        self._check_permit()
        if message["type"] == "websocket.disconnect":
            self.left_with = message.get("code")
            return None
        text: str | None = message.get("text")
        data: bytes | None = message.get("bytes")
        return text if text is not None else data or b""

    def _check_permit(self) -> None:
        """Raises ExpiredError, once: what is left to say may then still be said."""
        permit, self.permit = self.permit, None
        if permit is not None:
            permit.check()
            self.permit = permit

    async def send(self, json: str, limit: float) -> None:
        """Raises PeerGoneError, TimeoutError when the peer takes nothing for ``limit`` seconds."""
        self._check_permit()
        if self._teller is not None and self._teller.tell(json):
            return
        try:
            async with asyncio.timeout(limit):
                await self._socket.send_text(json)
        except (WebSocketDisconnect, RuntimeError):
            raise PeerGoneError("the connection is gone") from None

    async def close(self, error: StradError | None = None) -> None:
        """Say goodbye, with the error's code where there is one. A peer that is gone is fine."""
        if WebSocketState.DISCONNECTED in (
            self._socket.application_state,
            self._socket.client_state,
        ):
            return
        code = error.close_code if error is not None else 1000
        reason = (
            str(error).encode(errors="replace")[:MAX_REASON].decode(errors="ignore")
            if error
            else ""
        )
        try:
            async with asyncio.timeout(CLOSE_WAIT):
                await self._socket.close(code, reason)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            return
