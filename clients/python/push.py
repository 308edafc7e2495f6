"""Push a file to a service: the whole of it, or what is still being written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from functools import partial
from pathlib import Path

from clients.python.address import StreamAddress
from clients.python.container import HEAD, container_of, streams_as_bytes
from clients.python.pace import LivePace, Pace
from clients.python.publisher import Hear
from clients.python.resuming import Take, publish_on
from clients.python.tail import open_file, read_file
from strad.errors import InputError
from strad.wire.answering import Answer, Summary
from strad.wire.publishing import Container, Hello


class NeedsRemuxError(InputError):
    """The file holds media, but its bytes can't be decoded as they come."""

    code = "needs-remux"


def check_file(path: Path, *, growing: bool = False) -> Container:
    """The container of a file that can be pushed as it is.

    Raises InputError, and NeedsRemuxError where another container would do.
    """
    with open_file(path) as file:
        size = path.stat().st_size
        if size == 0 and not growing:
            raise InputError(f"{path}: is empty")
        container = container_of(path, file.read(HEAD))
        if container is None:
            raise NeedsRemuxError(f"{path}: not WebM, Matroska, MP4, MPEG-TS, FLV or Ogg")
        if size and not streams_as_bytes(container, file, size) and not growing:
            raise NeedsRemuxError(
                f"{path}: an MP4 with its index at the end can't be sent as it is"
            )
    return container


async def push_file(
    path: Path,
    address: StreamAddress,
    hello: Hello | None = None,
    *,
    pace: Pace = Pace.LIVE,
    follow: bool = False,
    still: float = 10.0,
    finished: asyncio.Event | None = None,
    hear: Hear | None = None,
) -> Summary:
    """Send the file and return the summary. ``hello`` is the file's own container's by default.

    A lost connection is made again, and the stream goes on.
    ``follow`` goes on with a growing file as ``read_file`` says. Raises InputError before
    anything is sent, or the error that ended the stream.
    """
    hello = hello or Hello(container=check_file(path, growing=follow))
    speed = LivePace() if pace is Pace.LIVE else None
    tail = partial(read_file, path, follow=follow, still=still, finished=finished)

    def listen(answer: Answer) -> None:
        if speed is not None:
            speed.hear(answer)
        if hear is not None:
            hear(answer)

    return await publish_on(address, hello, WholeFile(hello.container, tail, speed), listen)


class WholeFile:
    """A file's bytes from the first, each time: the service drops what it has seen already."""

    def __init__(
        self,
        container: Container,
        read: Callable[[], AsyncGenerator[bytes, None]],
        speed: LivePace | None = None,
    ) -> None:
        self._container = container
        self._read = read
        self._speed = speed

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``."""
        if since is not None and self._speed is not None:
            self._speed.begin_again()
        async with aclosing(self._read()) as chunks:
            paced = chunks if self._speed is None else self._speed.at_play_speed(chunks)
            yield Take(self._container, paced, None if since is None else 0.0)
