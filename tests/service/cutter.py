"""A wire that is cut: passes bytes on to a service, and breaks connections when told to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from clients.python.address import StreamAddress


class Cutter:
    """Listens on a port of its own. Cuts each connection after so many bytes from its client."""

    def __init__(self, port: int, cuts: list[int]) -> None:
        self._service = port
        self._cuts = cuts
        self.port = 0
        self.connections = 0

    def address(self, name: str = "news") -> StreamAddress:
        return StreamAddress.parse(f"http://127.0.0.1:{self.port}/v1/streams/{name}")

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        most = self._cuts.pop(0) if self._cuts else None
        there, back = await asyncio.open_connection("127.0.0.1", self._service)
        try:
            async with asyncio.TaskGroup() as tasks:
                ways = [
                    tasks.create_task(_pass_on(reader, back, most)),
                    tasks.create_task(_pass_on(there, writer, None)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
        finally:
            for end in (writer, back):
                end.transport.abort()


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int | None
) -> None:
    passed = 0
    with suppress(ConnectionError):
        while (most is None or passed < most) and (data := await reader.read(4_096)):
            passed += len(data)
            writer.write(data)
            await writer.drain()


@asynccontextmanager
async def cutter(port: int, *cuts: int) -> AsyncIterator[Cutter]:
    """In front of the service on ``port``: cuts the n-th connection after the n-th of ``cuts``."""
    wire = Cutter(port, list(cuts))
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    async with server:
        wire.port = server.sockets[0].getsockname()[1]
        yield wire
