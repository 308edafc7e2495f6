"""Publish over as many connections as it takes: a lost one is made again, the stream goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from clients.python.address import StreamAddress
from clients.python.publisher import Control, Hear, publish
from strad.errors import LogError, NotOwnedError, OverloadedError, PeerGoneError
from strad.wire.answering import Answer, Progress, Ready, Summary
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

    The first must be had at once. A lost one is made again until ``patience`` seconds, or the grace
    time, were spent without any since something was decoded. Raises as ``publish``.
    """
    known = Progressed()
    clock = asyncio.get_running_loop().time
    pause, away, taken = FIRST_PAUSE, 0.0, 0

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
            if known.moved:
                pause, away = FIRST_PAUSE, 0.0
            away += pause if known.accepted else pause + clock() - begun
            taken = taken + 1 if isinstance(lost, NotOwnedError) else 0
            if clock() - begun > patience:
                taken = 0
            if not _may_return(known.ready, away, patience, taken):
                raise
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _may_return(ready: Ready | None, away: float, patience: float, taken: int) -> bool:
    if ready is None or ready.resume is None or taken >= MOST_TAKEN:
        return False
    return away <= min(patience, patience if ready.grace is None else ready.grace)
