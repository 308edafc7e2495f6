"""A wire between a browser and a service: it is cut, mended, and led to another service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Relay:
    """Listens on a port of its own, and passes on what comes while it is whole."""

    def __init__(self, port: int) -> None:
        self.to = port
        """The service's port; for connections made from now on."""
        self.port = 0
        self.refused = 0
        """Connections that were tried while it was cut."""
        self._whole = True
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def cut(self) -> None:
        self._whole = False
        for end in self._ends:
            end.transport.abort()

    def mend(self) -> None:
        self._whole = True

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        if not self._whole:
            self.refused += 1
            writer.transport.abort()
            return
        with suppress(ConnectionError):
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
            self._ends |= {writer, back}
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_pass_on(reader, back))
                tasks.create_task(_pass_on(there, writer))
            self._ends -= {writer, back}
        writer.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@asynccontextmanager
async def relay(port: int) -> AsyncIterator[Relay]:
    """In front of the service on ``port``."""
    wire = Relay(port)
    server = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    wire.port = server.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        server.close()
        wire.cut()
