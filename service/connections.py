"""Connections: uvicorn's, each with a limit on how long it may take and how many there may be."""

from __future__ import annotations

import asyncio
import logging
import resource
from functools import lru_cache
from typing import Any, Protocol

from starlette.types import Scope
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

HEAD_WAIT = 10.0
"""Seconds from the connection to the end of the first request's head, or a WebSocket's."""

ANSWER_WAIT = 60.0
"""Seconds from one request's head to the next: for its body, its answer and a pause."""

MOST = 4_096
"""Connections, where the process may have enough files open."""

ACCEPT_AT_ONCE = 100
RESERVE = 100 + ACCEPT_AT_ONCE
"""Open files that are for all else: decoders, models, connections only just accepted."""

LEAST = 16

EXTENSION = "strad.connection"
"""Where a request's state has its connection."""


class Severable(Protocol):
    """A connection that can be closed, whatever the peer does."""

    def give_up(self) -> None: ...


class Teller(Protocol):
    """A WebSocket that can be written to at once, most of the time."""

    def tell(self, text: str) -> bool: ...


class Unlimited:
    """A connection that is not ours to close, as in tests without a socket."""

    def give_up(self) -> None:
        """Nothing."""


def keep_open(scope: Scope) -> Severable:
    """Let an answer take longer than ANSWER_WAIT; what it returns can cut it off."""
    connection = scope.get("state", {}).get(EXTENSION)
    if not isinstance(connection, HttpConnection):
        return Unlimited()
    connection.keep_open()
    return connection


def teller_of(scope: Scope) -> Teller | None:
    """What writes to this WebSocket without a wait; None without a real one, as in tests."""
    connection = scope.get("state", {}).get(EXTENSION)
    return connection if isinstance(connection, WebSocketConnection) else None


def most_connections() -> int:
    """How many there may be, by the process's limit of open files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST if soft == resource.RLIM_INFINITY else soft - RESERVE
    return max(LEAST, min(MOST, files))


def allow_open_files(most: int = 2 * MOST) -> None:
    """Raise the process's own limit of open files, as far as it may be raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class HttpConnection(H11Protocol):
    """Closed when it dawdles. One too many takes the place of the oldest that has asked nothing."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = logging.getLogger("service.connections.http")
        self.logger.setLevel(logging.ERROR)  # anybody can provoke its warnings, without end
        self.most = self.limit_concurrency or MOST
        self.limit_concurrency = None
        self.opened = self.loop.time()
        self.asked = False
        """Whether a whole request's head has come."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline(HEAD_WAIT)
        if len(self.connections) > self.most:
            silent = [c for c in self.connections if isinstance(c, HttpConnection) and not c.asked]
            min(silent, key=lambda c: c.opened).give_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unset_deadline()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.transport.get_protocol() is not self:
            self._unset_deadline()  # it has become a WebSocket
        elif self.cycle is not before:
            self.asked = True
            self.scope["state"][EXTENSION] = self
            self._set_deadline(ANSWER_WAIT)

    def keep_open(self) -> None:
        """The answer to this request takes as long as it takes: whoever writes it sets limits."""
        self._unset_deadline()

    def give_up(self) -> None:
        """Close it, whatever the peer does."""
        self._unset_deadline()
        self.connections.discard(self)
        self.transport.abort()

    def _set_deadline(self, wait: float) -> None:
        self._unset_deadline()
        self._deadline = self.loop.call_later(wait, self.give_up)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


@lru_cache(maxsize=16)
def frame_of(text: str) -> bytes:
    """The frame of a text message: made once, however many viewers are told the same."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """Cut off when a peer that takes nothing keeps it from closing."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = logging.getLogger("service.connections.ws")
        self.logger.setLevel(logging.WARNING)  # its lines hold all of an address, however long
        self.conn.logger = self.logger

    def handle_connect(self, event: Request) -> None:
        self.app_state = self.app_state | {EXTENSION: self}
        super().handle_connect(event)

    def start_keepalive(self) -> None:
        del self.request, self.response  # it is let in: what it came with is of no use any more
        super().start_keepalive()

    def tell(self, text: str) -> bool:
        """Write it now, where the peer takes what it is told; whether it was written."""
        flows = self.handshake_complete and self.writable.is_set() and not self.conn.extensions
        if not flows or self.close_sent or self.conn.state is not State.OPEN:
            return False
        if self.transport.is_closing():
            return False
        self.transport.write(frame_of(text))
        return True

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(self.close_timeout, self.transport.abort)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.send_close(1007, "a text message must be UTF-8")
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()
