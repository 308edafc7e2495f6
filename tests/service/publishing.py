"""A publisher on a real socket that does as it is told: sends, waits, breaks off, comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clients.python.address import StreamAddress
from clients.python.viewer import watch
from strad.wire.viewing import Ad, End, State

HELLO: dict[str, Any] = {"type": "hello", "version": 1, "container": "webm", "delay": 3.0}
LIMIT = 30.0


class LivePublisher:
    """One connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.said: list[dict[str, Any]] = []

    async def tell(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def media(self, data: bytes) -> None:
        await self.socket.send(data)

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(LIMIT):
            message: dict[str, Any] = json.loads(await self.socket.recv())
        self.said.append(message)
        return message

    async def until(self, kind: str, **fields: float) -> dict[str, Any]:
        """The next message of that type with at least these figures."""
        while True:
            message = await self.hear()
            if message["type"] == kind and all(message[k] >= v for k, v in fields.items()):
                return message

    async def rest(self) -> tuple[list[str], int]:
        """The types of all it still says, but for progress, and the close code."""
        types: list[str] = []
        while True:
            try:
                message = await self.hear()
            except ConnectionClosed as closed:
                return types, closed.rcvd.code if closed.rcvd else 0
            if message["type"] != "progress":
                types.append(message["type"])

    def break_off(self) -> None:
        """As when the network is gone."""
        self.socket.transport.abort()


@asynccontextmanager
async def publishing(address: StreamAddress, **hello: Any) -> AsyncIterator[LivePublisher]:
    """A connection that has said hello."""
    async with connected(address) as publisher:
        await publisher.tell(**(HELLO | hello))
        yield publisher


@asynccontextmanager
async def connected(address: StreamAddress) -> AsyncIterator[LivePublisher]:
    """A connection that has said nothing yet."""
    async with connect(address.media, proxy=None, compression=None, close_timeout=1.0) as socket:
        yield LivePublisher(socket)


async def watched(address: StreamAddress) -> tuple[list[str], list[Ad], End]:
    """All a viewer is told, from the stream's first message to its end: states, AD, the end."""
    states: list[str] = []
    ads: list[Ad] = []
    async for message in watch(address):
        match message:
            case State(state=state):
                states.append(state)
            case Ad():
                ads.append(message)
            case End():
                return states, ads, message
            case _:
                pass
    raise AssertionError("no end")
