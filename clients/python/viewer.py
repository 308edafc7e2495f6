"""Watch a stream: what is said, as it is said, once and in order, over however many connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeAlias, TypeGuard

from clients.python.address import StreamAddress
from clients.python.connection import Connection, open_connection
from clients.python.requests import Requests
from strad.errors import OverloadedError, PeerGoneError, UnknownMessageError
from strad.wire.answering import Error
from strad.wire.asking import AskMissed, AskScene, Finding, Flag, Prefer, Wishes
from strad.wire.viewing import (
    Aside,
    End,
    Flagged,
    ForViewer,
    Gap,
    Logged,
    Missed,
    Preferred,
    Scene,
    ViewerHello,
    Words,
    parse_for_viewer,
)

PATIENCE = 30.0
"""Seconds without any connection after which a viewer gives up."""

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0

Told: TypeAlias = ViewerHello | Logged | Aside


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


class Viewer:
    """Watches one stream with ``messages``, and meanwhile asks about it."""

    def __init__(
        self,
        address: StreamAddress,
        place: Place | None = None,
        *,
        wishes: Wishes | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._address = address
        self._place = place or Place()
        self._wishes = wishes or Wishes()
        self._patience = patience
        self._requests = Requests()

    async def messages(self) -> AsyncGenerator[Told, None]:
        """Everything said on the stream, ``End`` last; a hello for every connection.

        A connection that breaks, or that the service drops because we were slow, is made again
        from where it broke, for ``patience`` seconds; the first one must be had at once.
        Raises the error that ended the stream, or why no connection could be had.
        """
        clock = asyncio.get_running_loop().time
        pause, alive = FIRST_PAUSE, clock()
        ended: End | Error | None = None
        while ended is None:
            try:
                async with aclosing(self._one_connection()) as messages:
                    async for message in messages:
                        pause, alive = FIRST_PAUSE, clock()
                        if _is_last(message):
                            ended = message
                            break
                        yield message
            except (PeerGoneError, OverloadedError) as error:
                never_there = isinstance(error, PeerGoneError) and self._place.log is None
                if never_there or clock() + pause > alive + self._patience:
                    raise
            if ended is None:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        if isinstance(ended, Error):
            raise ended.as_exception()
        yield ended

    async def missed(
        self,
        *,
        after: int | None = None,
        since: float | None = None,
        until: float | None = None,
        most: int = 20,
    ) -> Missed:
        """What was said: after a ``seq``, or since a media time in seconds.

        Wants ``messages`` to be iterated meanwhile, as every request does. Raises PeerGoneError
        without a connection, or the error that refuses the request.
        """
        ask = AskMissed(after=after, since=since, until=until, most=most)
        return await self._requests.ask(ask, Missed)

    async def scene(self, at: float | None = None) -> Scene:
        """Who and what is on screen, at ``at`` seconds of media. Raises as ``missed`` does."""
        return await self._requests.ask(AskScene(at=at), Scene)

    async def prefer(self, wishes: Wishes) -> Preferred:
        """From now on be told this, on later connections too. Raises as ``missed`` does."""
        self._wishes = wishes
        return await self._requests.ask(Prefer(**dict(wishes)), Preferred)

    async def flag(self, event: str, finding: Finding) -> Flagged:
        """Have it kept that the AD with this ``id`` is wrong or late. Raises as ``missed`` does."""
        return await self._requests.ask(Flag(event=event, **dict(finding)), Flagged)

    async def _one_connection(self) -> AsyncGenerator[Told, None]:
        url = self._address.events(self._place.after, self._place.log, self._wishes)
        async with open_connection(
            url, direct=self._address.on_loopback, token=self._address.token
        ) as connection:
            with self._requests.over(connection):
                while (message := await _next(connection)) is not None:
                    if not self._requests.answered(message) and self._is_news(message):
                        yield message

    def _is_news(self, message: ForViewer) -> TypeGuard[Told]:
        match message:
            case ViewerHello():
                self._place.begin(message)
                return True
            case Missed() | Scene() | Preferred() | Flagged():
                return False
            case Words() | Gap():
                return True
            case _:
                return self._place.take(message)


def watch(
    address: StreamAddress,
    place: Place | None = None,
    *,
    wishes: Wishes | None = None,
    patience: float = PATIENCE,
) -> AsyncGenerator[Told, None]:
    """``Viewer.messages`` of a viewer that has nothing to ask."""
    return Viewer(address, place, wishes=wishes, patience=patience).messages()


def _is_last(message: Told) -> TypeGuard[End | Error]:
    return isinstance(message, End) or (isinstance(message, Error) and message.fatal)


async def _next(connection: Connection) -> ForViewer | None:
    """The next message that this version knows; None at the end."""
    while (text := await connection.receive(limit=None)) is not None:
        try:
            return parse_for_viewer(text)
        except UnknownMessageError:
            continue
    return None
