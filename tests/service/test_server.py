"""Real sockets: publishers that vanish, viewers that never read, and leaving in order."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable

import pytest

from clients.python.connection import Connection, open_connection
from clients.python.publisher import open_publisher, publish
from clients.python.viewer import watch
from service.server import listen
from service.settings import Limits, Settings
from strad.errors import InputError, OverloadedError, PeerGoneError, ProtocolError, WorkError
from strad.wire.answering import Answer, Summary
from strad.wire.publishing import Captions, Container, Finish, Hello, WordSource
from strad.wire.viewing import Ad, End, StreamState, ViewerHello, Withdraw
from tests.service.fakes import BuggyDescriber, HangingDescriber, Workshop
from tests.service.live import SETTINGS, LiveService, live_service

pytestmark = pytest.mark.service

HELLO = Hello(container=Container.WEBM)


async def letters(text: str, pause: float = 0.0) -> AsyncIterator[bytes]:
    """Media, a letter a message."""
    for letter in text:
        yield letter.encode()
        await asyncio.sleep(pause)


async def seen_by_viewer(live: LiveService, name: str = "news") -> list[object]:
    return [message async for message in watch(live.address(name))]


async def until(done: Callable[[], bool], limit: float = 5.0) -> None:
    """Look again until it is so."""
    async with asyncio.timeout(limit):
        while not done():  # noqa: ASYNC110 - the service has no event for what tests look at
            await asyncio.sleep(0.02)


async def all_received(connection: Connection) -> None:
    while await connection.receive(5.0):
        pass


async def states(live: LiveService) -> list[StreamState]:
    return [line.state for line in await live.station.streams.listing()]


async def until_all(live: LiveService, state: StreamState, limit: float = 5.0) -> None:
    """Look again until there is one stream and it is in ``state``."""
    async with asyncio.timeout(limit):
        while await states(live) != [state]:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.02)


def test_one_publishes_two_watch_and_all_see_the_same() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, asyncio.TaskGroup() as tasks:
            viewers = [tasks.create_task(seen_by_viewer(live)) for _ in range(2)]
            heard: list[Answer] = []
            summary = await publish(live.address(), HELLO, letters("q" * 20, 0.01), heard.append)
            first, second = [await viewer for viewer in viewers]
            assert [m for m in first if not isinstance(m, ViewerHello)] == [
                m for m in second if not isinstance(m, ViewerHello)
            ]
            ads = [m for m in first if isinstance(m, Ad)]
            assert len(ads) == summary.events >= 1
            assert isinstance(first[-1], End)
            assert heard[0].type == "ready"
            assert heard[-1] == summary

    asyncio.run(go())


def test_a_refused_message_ends_what_publishes_it() -> None:
    async def media() -> AsyncIterator[bytes | Captions]:
        yield Captions(until=9.0)
        yield Captions(until=3.0)
        while True:
            yield b"q"
            await asyncio.sleep(0.01)

    async def go() -> None:
        hello = HELLO.model_copy(update={"transcript": WordSource.CAPTIONS})
        async with live_service(Workshop().equipment()) as live:
            async with asyncio.timeout(5.0):
                with pytest.raises(ProtocolError, match="steps back"):
                    await publish(live.address(), hello, media())
            await until(lambda: not live.station.streams.live)

    asyncio.run(go())


@pytest.mark.parametrize("step", ["handshake", "hello", "media", "finish"])
def test_a_publisher_may_vanish_at_any_step(step: str) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            address = live.address()
            async with open_connection(address.media, direct=True) as connection:
                if step != "handshake":
                    await connection.send(HELLO.to_json(), 20.0)
                    assert '"ready"' in (await connection.receive(20.0) or "")
                if step in ("media", "finish"):
                    await connection.send(b"qqqqqqqqqq", 20.0)
                if step == "finish":
                    await connection.send(Finish().to_json(), 20.0)
                connection._socket.transport.abort()
            await until(lambda: not live.station.streams.live)
            if step in ("media", "finish"):
                seen = await seen_by_viewer(live)
                end = seen[-1]
                assert isinstance(end, End)
                assert end.summary is not None
                assert end.summary.live_edge == 10.0
            assert (await publish(address, HELLO, letters("qqqq"))).live_edge == 4.0

    asyncio.run(go())


def test_a_viewer_that_never_reads_is_dropped_and_others_go_on() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(stall=0.5, viewers=2))
        async with live_service(Workshop().equipment(), settings) as live:
            raw = socket.create_connection(("127.0.0.1", live.port))
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            raw.sendall(
                b"GET /v1/streams/news/events HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            await until_all(live, StreamState.WAITING)
            async with asyncio.TaskGroup() as tasks:
                reader = tasks.create_task(seen_by_viewer(live))
                async with open_publisher(live.address(), HELLO) as publisher:
                    known = await live.station.streams.find("news")
                    assert known is not None
                    text = "x" * 3_000

                    def long(seq: int) -> Withdraw:
                        return Withdraw(seq=seq, id=text[:200], at=0.0, reason=text[:200])

                    async with asyncio.timeout(20):
                        while known.viewers > 1:
                            for _ in range(500):
                                await known.log.append(long)
                            await asyncio.sleep(0.05)
                    await publisher.tell(Finish())
                    async for _ in publisher.answers():
                        pass
            seen = reader.result()
            assert isinstance(seen[-1], End)
            raw.close()

    asyncio.run(go())


def test_a_viewer_comes_back_for_what_it_missed() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, asyncio.TaskGroup() as tasks:
            viewer = tasks.create_task(seen_by_viewer(live))
            await until_all(live, StreamState.WAITING)
            publishing = tasks.create_task(publish(live.address(), HELLO, letters("q" * 60, 0.02)))
            for _ in range(3):
                await asyncio.sleep(0.4)
                for connection in list(live.server.server_state.connections):
                    if "/events" in getattr(connection, "scope", {}).get("path", ""):
                        connection.transport.abort()
            summary = await publishing
            seen = await viewer
            numbers = [m.seq for m in seen if not isinstance(m, ViewerHello)]  # type: ignore[attr-defined]
            assert numbers == list(range(1, numbers[-1] + 1))
            assert len([m for m in seen if isinstance(m, Ad)]) == summary.events
            assert len([m for m in seen if isinstance(m, ViewerHello)]) >= 2

    asyncio.run(go())


def test_a_message_that_is_too_long_ends_its_connection_only() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(max_message=10_000))
        async with live_service(Workshop().equipment(), settings) as live:
            async with open_connection(live.address().media, direct=True) as connection:
                await connection.send(HELLO.to_json(), 20.0)
                await connection.send(b"q" * 20_000, 20.0)
                with pytest.raises(InputError):
                    await all_received(connection)
            summary = await publish(live.address("b"), HELLO, letters("qq"))
            assert summary.live_edge == 2.0

    asyncio.run(go())


def test_leaving_drains_the_live_tells_all_and_refuses_the_new() -> None:
    async def go() -> None:
        heard: list[Answer] = []

        async def forever() -> AsyncIterator[bytes]:
            yield b"qqqqqqqqqq"
            await asyncio.sleep(3_600)

        async with live_service(Workshop().equipment()) as live, asyncio.TaskGroup() as tasks:
            viewer = tasks.create_task(seen_by_viewer(live))
            waiting = tasks.create_task(refusal_of_viewer(live, "nobody"))
            publishing = tasks.create_task(publish(live.address(), HELLO, forever(), heard.append))
            await until(lambda: any(getattr(m, "live_edge", 0) == 10.0 for m in heard))
            live.server.ask_to_stop()
            summary = await publishing
            seen = await viewer
            assert isinstance(await waiting, PeerGoneError)
        assert isinstance(summary, Summary)
        assert summary.live_edge == 10.0
        assert "draining" in [m.type for m in heard]
        assert isinstance(seen[-1], End)
        assert seen[-1].summary == summary
        assert len([m for m in seen if isinstance(m, Ad)]) == summary.events >= 1

    async def refusal_of_viewer(live: LiveService, name: str) -> BaseException:
        try:
            [_ async for _ in watch(live.address(name), patience=1.0)]
        except PeerGoneError as error:
            return error
        raise AssertionError("nobody published it")

    asyncio.run(go())


def test_leaving_takes_no_longer_than_its_limits_when_nothing_works_any_more() -> None:
    async def go() -> float:
        workshop = Workshop(HangingDescriber)
        settings = Settings(describer="every-window", port=0, limits=Limits(drain=0.5))
        async with (
            live_service(workshop.equipment(), settings) as live,
            open_publisher(live.address(), HELLO) as publisher,
        ):
            await publisher.send(b"qqqqhqqqq")
            await until_all(live, StreamState.LIVE)
            clock = asyncio.get_running_loop().time
            begun = clock()
            live.server.ask_to_stop()
            answers = [answer async for answer in publisher.answers()]
            assert isinstance(answers[-1], Summary)
            return clock() - begun

    assert asyncio.run(go()) < 3.0


def test_a_publisher_with_too_much_already_waiting_is_made_to_wait() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(silence=3.0))
        async with (
            live_service(Workshop().equipment(), settings) as live,
            open_publisher(live.address(), HELLO) as publisher,
        ):
            sent: list[int] = []

            async def send_on() -> None:
                await publisher.send(b"h")
                while True:
                    await publisher.send(b"q" * 1_000_000)
                    sent.append(1_000_000)

            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1.0):
                    await send_on()
            assert sum(sent) < 25_000_000

    asyncio.run(go())


def test_a_bug_in_a_describer_ends_its_stream_and_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def go() -> None:
        workshop = Workshop(BuggyDescriber)
        async with live_service(workshop.equipment()) as live:
            for name in ("one", "two"):
                with pytest.raises(WorkError, match="the service failed"):
                    await publish(live.address(name), HELLO, letters("q" * 20, 0.01))
                with pytest.raises(WorkError):
                    await seen_by_viewer(live, name)
            assert await states(live) == [StreamState.ENDED] * 2

    asyncio.run(go())
    assert "a bug" in caplog.text


def test_too_many_viewers_find_out_after_some_patience() -> None:
    async def go() -> None:
        settings = Settings(describer="every-window", port=0, limits=Limits(viewers=1))
        async with (
            live_service(Workshop().equipment(), settings) as live,
            open_connection(live.address().events(), direct=True) as first,
        ):
            hello = json.loads(await first.receive(2.0) or "")
            assert hello["state"] == "waiting"
            with pytest.raises(OverloadedError):
                await anext(watch(live.address(), patience=0.5))

    asyncio.run(go())


def test_a_port_in_use_and_an_open_address_are_refused_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: address already in use"):
            listen(Settings(port=port))
    with pytest.raises(InputError, match="can be reached from other machines"):
        listen(Settings(host="0.0.0.0"))


def test_nobody_listening_is_said_in_one_line() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment(), SETTINGS) as live:
            gone = live.address()
        with pytest.raises(PeerGoneError, match="can't connect to ws://127"):
            await publish(gone, HELLO, letters("q"))

    asyncio.run(go())


def test_no_answer_waits_until_the_one_before_was_acknowledged() -> None:
    """Nagle's algorithm is off: it would hold messages back for 40 ms each."""

    async def go() -> list[int]:
        async with (
            live_service(Workshop().equipment()) as live,
            open_connection(live.address().events(), direct=True) as viewer,
        ):
            await viewer.receive(20.0)
            found = [
                c.transport.get_extra_info("socket") for c in live.server.server_state.connections
            ]
            return [s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for s in found]

    assert asyncio.run(go()) == [1]
