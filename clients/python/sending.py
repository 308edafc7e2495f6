"""Sending: all of one source's media to a service, and whether all of it was taken."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from clients.python.address import StreamAddress
from clients.python.course import Course
from clients.python.given_bytes import GivenBytes
from clients.python.outcome import outcome
from clients.python.pace import LivePace, Pace
from clients.python.publisher import Control
from clients.python.push import WholeFile
from clients.python.resuming import Source, Take, publish_on
from clients.python.tail import read_file
from strad.errors import PeerGoneError, UnknownLogError
from strad.wire.answering import Answer, Draining, Ready
from strad.wire.publishing import Hello


async def send_file(
    path: Path, address: StreamAddress, hello: Hello, pace: Pace, course: Course
) -> None:
    """Raises PeerGoneError where the service went away before the end, or what ended the stream."""
    speed = LivePace() if pace is Pace.LIVE else None
    source = WholeFile(hello.container, partial(read_file, path), speed)
    await _Sending(source, course, speed).run(address, hello)


async def send_bytes(
    given: GivenBytes, address: StreamAddress, hello: Hello, course: Course
) -> None:
    """Raises what the giver of the bytes raises, once those before are sent; else as a file."""
    async with asyncio.TaskGroup() as tasks:
        taking = tasks.create_task(outcome(given.run()))
        hello = hello.model_copy(update={"container": await given.container()})
        await _Sending(given, course).run(address, hello)
        failed = await taking
    if failed is not None:
        raise failed


class _Sending:
    """One source's, over as many connections as it takes."""

    def __init__(self, source: Source, course: Course, speed: LivePace | None = None) -> None:
        self._source = source
        self._course = course
        self._speed = speed
        self._all_sent = self._shut_down = False

    async def run(self, address: StreamAddress, hello: Hello) -> None:
        try:
            await publish_on(address, hello, self, self._hear)
        except UnknownLogError:
            # It has ended since. Where all was sent that is right: only the word of it was lost.
            if not self._all_sent:
                raise
        if self._shut_down:
            raise PeerGoneError("the service shut down before it had taken all of it")

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``."""
        async with self._source.begin(since) as take:
            yield Take(take.container, self._through(take.media), take.at)

    async def _through(
        self, media: AsyncIterable[bytes | Control]
    ) -> AsyncIterator[bytes | Control]:
        self._all_sent = False
        async for item in media:
            yield item
        self._all_sent = True

    def _hear(self, answer: Answer) -> None:
        if self._speed is not None:
            self._speed.hear(answer)
        match answer:
            case Ready():
                self._course.began.set()
                self._shut_down = False
            case Draining(reason="shutdown", resume=None):
                self._shut_down = True
            case _:
                pass
