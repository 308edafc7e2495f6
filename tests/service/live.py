"""A real server on a free loopback port, for tests that need real sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory

from fastapi import FastAPI

from clients.python.address import StreamAddress
from service.app import create_app
from service.equipment import Equipment
from service.eventlog.log import EventLog
from service.operations.tracing import Tracer
from service.server import Server, listen, make_server
from service.settings import Jobs, Limits, Settings
from service.station import Station

FOLDER = TemporaryDirectory()
"""Where the tests' services keep jobs, unless they say otherwise."""

SETTINGS = Settings(
    describer="every-window",
    port=0,
    limits=Limits(drain=3.0, stall=20.0, grace=0.3),
    jobs=Jobs(folder=FOLDER.name),
)


class LiveService:
    """A running service."""

    def __init__(self, server: Server, station: Station, port: int) -> None:
        self.server = server
        self.station = station
        self.port = port

    def address(self, name: str = "news") -> StreamAddress:
        return StreamAddress.parse(f"http://127.0.0.1:{self.port}/v1/streams/{name}")


@asynccontextmanager
async def live_service(
    equipment: Equipment,
    settings: Settings = SETTINGS,
    log: EventLog | None = None,
    tracer: Tracer | None = None,
    around: Callable[[FastAPI], object] = lambda _: None,
) -> AsyncIterator[LiveService]:
    """The service over ``equipment``; it leaves in order at the end. ``around``: more layers."""
    app = create_app(settings, equipment, log, tracer)
    around(app)
    listener = listen(settings)
    port: int = listener.getsockname()[1]
    server = make_server(app, settings)
    with listener:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(server.serve_until_asked(listener))
            await wait_for_port(port)
            try:
                yield LiveService(server, app.state.station, port)
            finally:
                server.ask_to_stop()


async def wait_for_port(port: int, limit: float = 60.0) -> None:
    """Until something accepts on it."""
    async with asyncio.timeout(limit):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                return


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
