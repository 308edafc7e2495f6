"""Publish a stream: hello, media bytes, control messages; answers and the summary come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import NoReturn, TypeAlias

from clients.python.address import StreamAddress
from clients.python.connection import Connection, open_connection
from strad.errors import (
    InputError,
    OverloadedError,
    PeerGoneError,
    ProtocolError,
    StradError,
    UnknownMessageError,
    cause_of,
)
from strad.wire.answering import Answer, Draining, Error, Ready, Summary, parse_answer
from strad.wire.publishing import Captions, Epoch, Finish, Hello, KeepAlive

SEND_LIMIT = 120.0
"""Seconds the service may take no media, since it has too much already."""

ANSWER_LIMIT = 60.0
"""Seconds without an answer after which the service is gone; it reports every ten."""

Control: TypeAlias = Captions | Epoch | KeepAlive | Finish
Hear: TypeAlias = Callable[[Answer], None]


class Publisher:
    """One accepted publisher. Made by ``open_publisher``.

    Whoever sends must take the answers too, in another task: ``publish`` does both.
    """

    def __init__(self, connection: Connection, ready: Ready) -> None:
        self._connection = connection
        self.ready = ready
        """What the service has agreed to."""

    async def send(self, media: bytes) -> None:
        """Media bytes, however long. Waits while the service has too much already."""
        most = max(1, self.ready.max_message)
        for at in range(0, len(media), most):
            await self._connection.send(media[at : at + most], SEND_LIMIT)

    async def tell(self, message: Control) -> None:
        """A control message; ``Finish`` ends the media."""
        await self._connection.send(message.to_json(), SEND_LIMIT)

    async def answers(self) -> AsyncIterator[Answer]:
        """All the service says, the summary last. Types of later versions are passed over.

        Raises the error that ended the stream.
        """
        while (text := await self._connection.receive(ANSWER_LIMIT)) is not None:
            try:
                answer = parse_answer(text)
            except UnknownMessageError:
                continue
            if isinstance(answer, Error) and answer.fatal:
                raise answer.as_exception()
            yield answer
            if isinstance(answer, Summary):
                return
        raise PeerGoneError("the service closed without a summary")


@asynccontextmanager
async def open_publisher(address: StreamAddress, hello: Hello) -> AsyncIterator[Publisher]:
    """Connect and say hello. Raises PeerGoneError, or why the service refuses."""
    async with open_connection(
        address.media, direct=address.on_loopback, token=address.token
    ) as connection:
        with suppress(InputError, OverloadedError):  # turned away already: why is read next
            await connection.send(hello.to_json(), SEND_LIMIT)
        yield Publisher(connection, await _ready(connection))


async def _ready(connection: Connection) -> Ready:
    text = await connection.receive(ANSWER_LIMIT)
    if text is None:
        raise PeerGoneError("the service closed at once")
    answer = parse_answer(text)
    if isinstance(answer, Error):
        raise answer.as_exception()
    if not isinstance(answer, Ready):
        raise ProtocolError(f"the service began with {answer.type}, not with ready")
    return answer


async def publish(
    address: StreamAddress,
    hello: Hello,
    media: AsyncIterable[bytes | Control],
    hear: Hear | None = None,
) -> Summary:
    """Send all of ``media``, finish, and return the summary. ``hear`` is told every answer.

    A service that shuts down meanwhile takes no more media: ``hear`` is told so (``Draining``) and
    the summary is returned early. Raises the error that ended the stream, or for which a message
    of ``media`` was refused: the stream would not be what was meant, so it is left.
    """
    async with open_publisher(address, hello) as publisher:
        heard = hear if hear is not None else _ignore
        heard(publisher.ready)
        try:
            async with asyncio.TaskGroup() as tasks:
                keeping = tasks.create_task(_keep_alive(publisher))
                sending = tasks.create_task(_send_all(publisher, media))
                summary = await _summary(publisher, heard, sending)
                keeping.cancel()
                sending.cancel()
        except BaseExceptionGroup as group:
            raise cause_of(group) from None
    return summary


async def _send_all(publisher: Publisher, media: AsyncIterable[bytes | Control]) -> None:
    async for item in media:
        try:
            if isinstance(item, bytes):
                await publisher.send(item)
            else:
                await publisher.tell(item)
        except StradError:
            return  # the answers say why
    await _try_to_tell(publisher, Finish())


async def _keep_alive(publisher: Publisher) -> NoReturn:
    while True:
        await asyncio.sleep(publisher.ready.silence / 3)
        await _try_to_tell(publisher, KeepAlive())


async def _try_to_tell(publisher: Publisher, message: Control) -> None:
    try:
        await publisher.tell(message)
    except StradError:
        return  # the answers say why


async def _summary(publisher: Publisher, hear: Hear, sending: asyncio.Task[None]) -> Summary:
    async for answer in publisher.answers():
        hear(answer)
        if isinstance(answer, Error):
            raise answer.as_exception()
        if isinstance(answer, Draining):
            sending.cancel()
        if isinstance(answer, Summary):
            return answer
    raise PeerGoneError("the service closed without a summary")


def _ignore(answer: Answer) -> None:
    del answer
