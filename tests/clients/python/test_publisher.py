"""A publisher that is turned away before it could say anything hears why."""

from __future__ import annotations

import asyncio

import pytest
from websockets.server import ServerProtocol

from clients.python.address import StreamAddress
from clients.python.publisher import open_publisher
from strad.errors import OverloadedError, RateLimitError, StradError, UnauthorizedError
from strad.wire.answering import Error
from strad.wire.publishing import Container, Hello

pytestmark = pytest.mark.service


class ClosedDoor:
    """A service that greets, refuses and closes in one breath."""

    def __init__(self, error: StradError, code: int) -> None:
        self._refusal = Error.of(error).to_json()
        self._code = code

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        door = ServerProtocol()
        door.receive_data(await reader.readuntil(b"\r\n\r\n"))
        [asked] = door.events_received()
        door.send_response(door.accept(asked))  # type: ignore[arg-type]
        door.send_text(self._refusal.encode())
        door.send_close(self._code)
        writer.write(b"".join(door.data_to_send()))
        await reader.read(64)  # its close
        writer.close()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UnauthorizedError("a key is needed"), 1008),
        (RateLimitError("too many requests", retry_after=3.0), 1008),
        (OverloadedError("the service is shutting down", retry_after=2.0), 1013),
    ],
)
def test_who_is_turned_away_at_once_hears_why(error: StradError, code: int) -> None:
    async def go() -> None:
        async with (
            asyncio.timeout(60),
            await asyncio.start_server(ClosedDoor(error, code).answer, "127.0.0.1", 0) as server,
        ):
            port = server.sockets[0].getsockname()[1]
            address = StreamAddress.parse(f"http://127.0.0.1:{port}/news")
            with pytest.raises(type(error), match=str(error)) as refused:
                async with open_publisher(address, Hello(container=Container.WEBM)):
                    pytest.fail("let in")
            assert vars(refused.value) == vars(error)

    asyncio.run(go())
