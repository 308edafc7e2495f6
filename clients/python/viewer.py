"""Watch a stream: what is said, as it is said, once and in order, over however many connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeGuard

from clients.python.address import StreamAddress
from clients.python.connection import open_connection
from strad.errors import OverloadedError, PeerGoneError, UnknownMessageError
from strad.wire.answering import Error
from strad.wire.viewing import End, Logged, ViewerHello, parse_for_viewer

PATIENCE = 30.0
"""Seconds without any connection after which a viewer gives up."""

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0


class Place:
    """How far a viewer has come in which log."""

    def __init__(self, after: int = 0, log: str | None = None) -> None:
        self.after = after
        self.log = log

    def begin(self, hello: ViewerHello) -> None:
        """Start again at the beginning of a log that isn't the one known."""
        if self.log is not None and self.log != hello.log:
            self.after = 0
        self.log = hello.log

    def take(self, message: Logged) -> bool:
        """Step to ``message``; whether it is new."""
        if message.seq and message.seq <= self.after:
            return False
        self.after = max(self.after, message.seq)
        return True


async def watch(
    address: StreamAddress, place: Place | None = None, *, patience: float = PATIENCE
) -> AsyncGenerator[ViewerHello | Logged, None]:
    """Everything said on the stream, ``End`` last; a hello for every connection.

    A connection that breaks, or that the service drops because we were slow, is made again from
    where it broke, for ``patience`` seconds; the first one must be had at once.
    Raises the error that ended the stream, or why no connection could be had.
    """
    place = place or Place()
    clock = asyncio.get_running_loop().time
    pause, alive = FIRST_PAUSE, clock()
    ended: End | Error | None = None
    while ended is None:
        try:
            async with aclosing(_one_connection(address, place)) as messages:
                async for message in messages:
                    pause, alive = FIRST_PAUSE, clock()
                    if _is_last(message):
                        ended = message
                        break
                    yield message
        except (PeerGoneError, OverloadedError) as error:
            never_there = isinstance(error, PeerGoneError) and place.log is None
            if never_there or clock() + pause > alive + patience:
                raise
        if ended is None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
    if isinstance(ended, Error):
        raise ended.as_exception()
    yield ended


def _is_last(message: ViewerHello | Logged) -> TypeGuard[End | Error]:
    return isinstance(message, End) or (isinstance(message, Error) and message.fatal)


async def _one_connection(
    address: StreamAddress, place: Place
) -> AsyncGenerator[ViewerHello | Logged, None]:
    url = address.events(place.after, place.log)
    async with open_connection(url, direct=address.on_loopback) as connection:
        while (text := await connection.receive(limit=None)) is not None:
            try:
                message = parse_for_viewer(text)
            except UnknownMessageError:
                continue
            if isinstance(message, ViewerHello):
                place.begin(message)
            elif not place.take(message):
                continue
            yield message
