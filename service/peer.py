"""The other end of a WebSocket, with a limit on every wait."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from service.loopback import host_of, is_loopback
from strad.errors import PeerGoneError, StradError

CLOSE_WAIT = 5.0
"""Wall seconds a peer has to take its close frame."""

MAX_REASON = 120
"""Bytes of a close reason: a control frame holds 125, two of them the code."""


class Peer:
    """Sends and receives on one accepted WebSocket."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    @classmethod
    async def accept(cls, socket: WebSocket) -> Peer | None:
        """The peer, or None for a page of another site: browsers let any page connect here.

        Clients that aren't browsers send no Origin.
        """
        origin = socket.headers.get("origin")
        if origin is not None and not is_loopback(host_of(origin)):
            await socket.close(1008)
            return None
        await socket.accept()
        return cls(socket)

    async def receive(self, limit: float | None) -> str | bytes | None:
        """The next message, text or binary; None when the peer is gone.

        Raises PeerGoneError when it says nothing for ``limit`` seconds. Without a limit, the
        server's pings find out whether the peer is still there.
        """
        try:
            async with asyncio.timeout(limit):
                message = await self._socket.receive()
        except TimeoutError:
            raise PeerGoneError(f"nothing came for {limit:g} s") from None
        if message["type"] == "websocket.disconnect":
            return None
        text: str | None = message.get("text")
        data: bytes | None = message.get("bytes")
        return text if text is not None else data or b""

    async def send(self, json: str, limit: float) -> None:
        """Raises PeerGoneError, TimeoutError when the peer takes nothing for ``limit`` seconds."""
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
