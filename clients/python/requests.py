"""Requests to the service and the answers they wait for, over whatever connection there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TypeVar

from clients.python.connection import Connection
from strad.errors import PeerGoneError, ProtocolError
from strad.wire.answering import Error
from strad.wire.asking import Ask
from strad.wire.viewing import Flagged, ForViewer, Missed, Preferred, Reply, Scene

ANSWER_LIMIT = 10.0
"""Wall seconds an answer may take."""

Wanted = TypeVar("Wanted", Missed, Scene, Preferred, Flagged)


class Requests:
    """Whoever reads the connection hands every message to ``answered``."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._waiting: dict[str, asyncio.Future[Reply | Error]] = {}
        self._ids = count(1)

    @contextmanager
    def over(self, connection: Connection) -> Iterator[None]:
        """Requests go over ``connection``; those still unanswered at its end fail."""
        self._connection = connection
        try:
            yield
        finally:
            self._connection = None
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(PeerGoneError("the connection broke before an answer"))

    async def ask(self, request: Ask, wanted: type[Wanted]) -> Wanted:
        """The answer. Raises PeerGoneError, or the error that refuses the request."""
        if self._connection is None:
            raise PeerGoneError("there is no connection to the service now")
        name = f"q{next(self._ids)}"
        waiting = self._waiting[name] = asyncio.get_running_loop().create_future()
        try:
            named = request.model_copy(update={"id": name})
            await self._connection.send(named.to_json(), ANSWER_LIMIT)
            async with asyncio.timeout(ANSWER_LIMIT):
                reply = await waiting
        except TimeoutError:
            raise PeerGoneError(f"no answer came for {ANSWER_LIMIT:g} s") from None
        finally:
            del self._waiting[name]
        if isinstance(reply, Error):
            raise reply.as_exception()
        if not isinstance(reply, wanted):
            raise ProtocolError(f"{request.type} was answered by {reply.type}")
        return reply

    def answered(self, message: ForViewer) -> bool:
        """Whether it is the answer that somebody waits for; they have it then."""
        if not isinstance(message, Missed | Scene | Preferred | Flagged | Error):
            return False
        waiting = self._waiting.get(message.answers or "")
        if waiting is None or waiting.done():
            return False
        waiting.set_result(message)
        return True
