"""How long a publisher that loses its connections goes on, by the time it is without one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from clients.python import resuming
from clients.python.address import StreamAddress
from clients.python.publisher import Control, Hear
from clients.python.resuming import Take, publish_on
from strad.errors import PeerGoneError
from strad.wire.answering import Progress, Ready
from strad.wire.publishing import Container, Hello
from tests import virtual_time

pytestmark = pytest.mark.unit

HELLO = Hello(container=Container.WEBM)
ADDRESS = StreamAddress.parse("http://127.0.0.1:1/v1/streams/news")
READY = Ready(
    stream="news",
    describer="facts",
    draft=True,
    delay=12.0,
    stride=2.0,
    max_message=1_000,
    silence=60.0,
    resume="a.b",
    grace=20.0,
)


class Nothing:
    """A source without media."""

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        del since
        yield Take(Container.WEBM, nothing())


async def nothing() -> AsyncIterator[bytes | Control]:
    return
    yield b""


class FailingService:
    """Lets a publisher in, if at all, and is gone some seconds later, each time."""

    def __init__(self, *lasts: float, moves: bool = False) -> None:
        """``lasts``: seconds of each connection; negative: it isn't let in."""
        self._lasts: Iterator[float] = iter(lasts)
        self._moves = moves
        self.asked = 0

    async def publish(
        self, address: StreamAddress, hello: Hello, media: AsyncIterable[object], hear: Hear
    ) -> None:
        """As a connection's ``publish``; over at its last one."""
        del address, hello, media
        self.asked += 1
        seconds = next(self._lasts, None)
        if seconds is None:
            return
        if seconds >= 0:
            hear(READY)
        if self._moves:
            hear(Progress(live_edge=float(self.asked), cursor=0.0, behind=0.0))
        await asyncio.sleep(abs(seconds))
        raise PeerGoneError("the connection to the service broke")


def publishes(service: FailingService, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether it comes to the end."""
    monkeypatch.setattr(resuming, "publish", service.publish)
    try:
        virtual_time.run(publish_on(ADDRESS, HELLO, Nothing()))
    except PeerGoneError:
        return False
    return True


def test_time_on_a_connection_is_no_time_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is decoded in nine seconds, which is how long some media needs."""
    assert publishes(FailingService(9, 9, 9, 9), monkeypatch)


def test_what_lets_in_and_dies_at_once_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    service = FailingService(*[0.1] * 100)
    assert not publishes(service, monkeypatch)
    assert service.asked < 12


def test_a_service_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    service = FailingService(9, *[-3.0] * 100)
    assert not publishes(service, monkeypatch)
    assert service.asked < 8


def test_who_gets_further_each_time_is_never_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert publishes(FailingService(*[3.0] * 50, moves=True), monkeypatch)
