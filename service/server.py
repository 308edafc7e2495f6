"""The server: an application on a socket, and the order in which it leaves.

uvicorn closes every WebSocket as soon as it is told to stop. Here SIGTERM or SIGINT first makes the
station leave the air (refuse, drain, tell everybody, close with a code), each step with a limit,
and only then stops uvicorn. A second signal ends it at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
import socket
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

from service.connections import (
    ACCEPT_AT_ONCE,
    HttpConnection,
    WebSocketConnection,
    most_connections,
)
from service.security.gate import Gate
from service.settings import Settings
from service.station import Station
from strad.errors import InputError

logger = logging.getLogger(__name__)

WAITING = 2_048
"""Connections that may wait to be accepted."""

SIGNALS = (signal.SIGTERM, signal.SIGINT)

PING_EVERY = 20.0
PONG_WAIT = 180.0
"""Seconds. Long, since a publisher's pong waits in line behind the media it has sent."""

STOP_WAIT = 3
"""Seconds uvicorn gives connections that are still open once everybody has been told."""


class Server(uvicorn.Server):
    """uvicorn, stopped by the station's leave instead of by signals."""

    def __init__(self, config: uvicorn.Config, station: Station, gate: Gate) -> None:
        super().__init__(config)
        self._station = station
        self._gate = gate
        station.connections = lambda: len(self.server_state.connections)
        self._asked = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing: ``serve_until_asked`` takes the signals."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's. Who comes in a crowd waits in line, though few are let in at once."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING)

    async def serve_until_asked(self, listener: socket.socket) -> None:
        """Serve until a signal or ``ask_to_stop``, then leave in order."""
        async with self._station.crew.at_work(), asyncio.TaskGroup() as tasks:
            with self._signals():
                leaving = tasks.create_task(self._leave_when_asked())
                minding = tasks.create_task(self._station.mind())
                watching = tasks.create_task(self._station.load.run())
                looking = tasks.create_task(self._gate.mind())
                await self.serve(sockets=[listener])
                self._drop_the_rest()
                for task in (leaving, minding, watching, looking):
                    task.cancel()

    def _drop_the_rest(self) -> None:
        """Nothing that is still open may outlive the event loop."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    def ask_to_stop(self) -> None:
        """Leave the air, then stop. Asked a second time: stop at once."""
        if self._asked.is_set():
            self.force_exit = True
            self.should_exit = True
        self._asked.set()

    async def _leave_when_asked(self) -> None:
        await self._asked.wait()
        logger.info("leaving the air: %d live streams", self._station.streams.live)
        await self._station.leave()
        self.should_exit = True

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in SIGNALS:
            loop.add_signal_handler(number, self.ask_to_stop)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)


def check_reachable(settings: Settings) -> None:
    """Raises InputError where anybody could publish: off loopback, and without keys."""
    if not settings.on_loopback and not settings.auth.on:
        raise InputError(
            f"{settings.host} can be reached from other machines, so callers must show a key: "
            "set auth.keys, auth.secret or auth.jwks (docs/security.md), or listen on 127.0.0.1"
        )


def listen(settings: Settings) -> socket.socket:
    """The listening socket. Raises InputError: port in use, no such address, off loopback."""
    check_reachable(settings)
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Without its protocol asyncio leaves Nagle's algorithm on, which holds answers back for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        why = error.strerror or str(error)
        raise InputError(
            f"can't listen on {settings.host} port {settings.port}: {why.lower()}"
        ) from None
    listener.setblocking(False)
    return listener


def make_server(app: FastAPI, settings: Settings) -> Server:
    """A server for ``app``, made by ``service.app.create_app``. Call it in a running loop."""
    config = uvicorn.Config(
        app,
        http=HttpConnection,
        ws=WebSocketConnection,
        limit_concurrency=most_connections(),
        backlog=ACCEPT_AT_ONCE,
        ws_max_size=settings.limits.max_message,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_WAIT,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=STOP_WAIT,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
    )
    return Server(config, app.state.station, app.state.gate)


def settle_memory() -> None:
    """What was loaded until now stays: it needn't be looked through whenever garbage is collected.

    With thousands of viewers such a look would keep all of them waiting.
    """
    gc.collect()
    gc.freeze()


async def serve(app: FastAPI, settings: Settings, listener: socket.socket) -> None:
    """Serve ``app`` on ``listener`` until a signal, then leave in order."""
    settle_memory()
    await make_server(app, settings).serve_until_asked(listener)
