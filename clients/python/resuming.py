"""Publish over as many connections as it takes: a lost one is made again, the stream goes on."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from clients.python.address import StreamAddress
from clients.python.publisher import Control, Hear, publish
from strad.errors import (
    LogError,
    NotOwnedError,
    OverloadedError,
    PeerGoneError,
    RateLimitError,
    StradError,
)
from strad.wire.answering import Answer, Error, Progress, Ready, Summary
from strad.wire.publishing import Container, Hello

PATIENCE = 60.0
"""Seconds without a connection after which a publisher gives up; less where the service says so."""

FIRST_PAUSE = 0.2
LONGEST_PAUSE = 5.0

MOST_TAKEN = 3
"""Times in a row that another connection may take the stream away, before it is left to that."""


@dataclass(frozen=True, slots=True)
class Take:
    """What is sent over one connection."""

    container: Container
    media: AsyncIterable[bytes | Control]
    at: float | None = None
    """The stream time of its first media, in seconds; None: where the stream stands."""


class Source(Protocol):
    """Media that can be begun again."""

    def begin(self, since: float | None) -> AbstractAsyncContextManager[Take]:
        """The next connection's, for as long as that lasts.

        ``since``: the stream stands at least there; None: it is a new one. The media may begin
        earlier: what the service has seen already it drops.
        """


class Progressed:
    """How far the stream has come, as far as the service has said."""

    def __init__(self) -> None:
        self.ready: Ready | None = None
        self.live_edge = 0.0
        self.accepted = self.moved = False
        """Whether the newest connection was let in, and whether anything was decoded over it."""

    def begin(self) -> None:
        """Another connection."""
        self.accepted = self.moved = False

    def hear(self, answer: Answer) -> None:
        match answer:
            case Ready():
                self.ready, self.accepted = answer, True
                self.live_edge = max(self.live_edge, answer.live_edge)
            case Progress() if answer.live_edge > self.live_edge:
                self.live_edge, self.moved = answer.live_edge, True
            case _:
                pass

    def hello(self, first: Hello, take: Take) -> Hello:
        """What the next connection begins with."""
        token = self.ready.resume if self.ready is not None else None
        return first.model_copy(
            update={"container": take.container, "resume": token, "at": take.at}
        )


async def publish_on(
    address: StreamAddress,
    hello: Hello,
    source: Source,
    hear: Hear | None = None,
    *,
    patience: float = PATIENCE,
) -> Summary:
    """Send all of ``source``, finish, and return the summary, as ``publish`` does.

    The first must be had at once, but where the service has no room and says when to try again. A
    lost one is made again until ``patience`` seconds, or the grace time, were spent without any
    since something was decoded. ``hear`` is told of a refusal that is tried again, as an error that
    isn't fatal. Raises as ``publish``.
    """
    known, waited = Progressed(), Waited(patience)
    clock = asyncio.get_running_loop().time

    def listen(answer: Answer) -> None:
        known.hear(answer)
        if hear is not None:
            hear(answer)

    while True:
        begun = clock()
        known.begin()
        since = None if known.ready is None else known.live_edge
        try:
            async with source.begin(since) as take:
                return await publish(address, known.hello(hello, take), take.media, listen)
        except (PeerGoneError, OverloadedError, LogError, NotOwnedError) as lost:
            wait = waited.after(lost, known, clock() - begun)
            if wait is None:
                raise
            if known.ready is None and hear is not None:
                hear(Error.of(lost, fatal=False))
        await asyncio.sleep(wait)


class Waited:
    """How long one publisher has been without a connection, and how long it tries on."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._pause = FIRST_PAUSE
        self._away = 0.0
        self._taken = 0

    def after(self, lost: StradError, known: Progressed, lasted: float) -> float | None:
        """Seconds until the next try, a connection having been lost; None where that is no use.

        ``lasted``: how long it was tried, or there.
        """
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        if known.moved:
            pause, self._pause, self._away = FIRST_PAUSE, 2 * FIRST_PAUSE, 0.0
        self._away += pause if known.accepted else pause + lasted
        self._taken = self._taken + 1 if isinstance(lost, NotOwnedError) else 0
        if lasted > self._patience:
            self._taken = 0
        if known.ready is None:
            return self._for_room(lost)
        return pause if _may_return(known.ready, self._away, self._patience, self._taken) else None

    def _for_room(self, lost: StradError) -> float | None:
        """Where the stream has not begun: it does once there is room, if the service says when.

        A little later than that, and not all at the same time.
        """
        if not isinstance(lost, OverloadedError) or isinstance(lost, RateLimitError):
            return None
        if lost.retry_after is None or self._away > self._patience:
            return None
        wait = lost.retry_after * random.uniform(1.0, 1.25)
        self._away += wait
        return wait


def _may_return(ready: Ready, away: float, patience: float, taken: int) -> bool:
    if ready.resume is None or taken >= MOST_TAKEN:
        return False
    return away <= min(patience, patience if ready.grace is None else ready.grace)
