"""Viewers on real sockets: connections that break at random, wishes, requests, dropped readers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clients.python.connection import open_connection
from clients.python.publisher import publish
from clients.python.viewer import Place, Told, Viewer
from strad.decision import Decision, Describe, Kind
from strad.errors import PeerGoneError, RateLimitError
from strad.wire.asking import Extra, FormChoice, Wishes
from strad.wire.viewing import (
    About,
    Ad,
    End,
    Gap,
    Logged,
    ViewerHello,
    Withdraw,
    Words,
    parse_for_viewer,
    parse_logged,
)
from streaming.window import Window
from tests.fakes import EveryWindowDescriber
from tests.service.ads import ad
from tests.service.events import EventSource
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.test_server import HELLO, letters

pytestmark = pytest.mark.service

TEXT = "word " * 700

ABOUT = About(describer="every-window", draft=True, delay=12.0, language="en")


class TwoFormDescriber(EveryWindowDescriber):
    """Describes every window in two lengths, scenes and texts by turns."""

    async def decide(self, window: Window) -> Decision:
        said = await super().decide(window)
        assert isinstance(said, Describe)
        n = len(self.asked)
        forms = (f"thing{n}", f"thing{n} falls{n} down")
        return Describe(forms, said.when, kind=Kind.TEXT if n % 2 else Kind.SCENE)


@asynccontextmanager
async def told_at_random(live: LiveService, seed: int, messages: int) -> AsyncIterator[None]:
    """A stream on which AD and withdrawals come in bursts while the block runs, to its end."""
    chance = random.Random(seed)

    def withdraw(seq: int) -> Logged:
        return Withdraw(seq=seq, id=f"ad-{seq - 1}", at=1.0, reason="speech")

    async def tell() -> None:
        async with live.station.streams.publishing("news", ABOUT) as stream:
            for _ in range(messages):
                make = withdraw if chance.random() < 0.2 else lambda seq: ad(seq, seq, seq + 1)
                await stream.log.append(make)
                if chance.random() < 0.3:
                    await asyncio.sleep(chance.random() * 0.01)
            await stream.end(None, None)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(tell())
        yield


async def by_socket(live: LiveService, seed: int) -> list[Logged]:
    """All messages, as often as they came, over connections that break at random."""
    chance, place = random.Random(seed), Place()
    seen: list[Logged] = []
    while not (seen and isinstance(seen[-1], End)):
        url = live.address().events(place.after, place.log)
        async with open_connection(url, direct=True) as connection:
            for _ in range(chance.randint(1, 40)):
                text = await connection.receive(5.0)
                if text is None:
                    break
                message = parse_for_viewer(text)
                if isinstance(message, ViewerHello):
                    place.begin(message)
                else:
                    seen.append(parse_logged(text))
                    place.after = seen[-1].seq
            connection._socket.transport.abort()
    return seen


async def by_events(live: LiveService, seed: int) -> list[Logged]:
    """The same by Server-Sent Events, as a browser resumes them."""
    chance = random.Random(seed)
    seen: list[Logged] = []
    source = EventSource(f"http://127.0.0.1:{live.port}/v1/streams/news/events")
    while source.status != 204:
        async with httpx.AsyncClient() as client, source.connect(client) as stream:
            left = chance.randint(1, 40)
            async for event in stream:
                if '"seq":' in event.data:
                    seen.append(parse_logged(event.data))
                left -= 1
                if left == 0:
                    break
    return seen


@pytest.mark.parametrize("seed", range(2))
def test_whatever_breaks_each_message_comes_once_and_in_order(seed: int) -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            live.station.streams.viewing("news") as stream,
        ):
            async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
                viewers = [tasks.create_task(by_socket(live, 10 * seed + n)) for n in range(2)]
                viewers += [tasks.create_task(by_events(live, 10 * seed + n)) for n in range(2)]
                async with told_at_random(live, seed, 300):
                    pass
            kept: list[Logged] = []
            while entries := await stream.log.read(len(kept)):
                kept += [entry.message for entry in entries]
            assert [message.seq for message in kept] == list(range(1, 303))
            for viewer in viewers:
                assert viewer.result() == kept

    asyncio.run(go())


def test_a_viewer_that_reads_too_late_finds_its_code_and_others_went_on() -> None:
    async def go() -> None:
        settings = replace(SETTINGS, limits=replace(SETTINGS.limits, stall=0.5))
        async with (
            live_service(Workshop().equipment(), settings) as live,
            live.station.streams.viewing("news") as stream,
            connect(live.address().events(), max_queue=1, proxy=None) as late,
            asyncio.TaskGroup() as tasks,
        ):
            prompt = tasks.create_task(told(Viewer(live.address())))
            await until_watched(live, 3)
            async with live.station.streams.publishing("news", ABOUT) as published:
                async with asyncio.timeout(30):
                    while stream.viewers > 2:
                        for _ in range(200):
                            await published.log.append(lambda seq: ad(seq, seq, seq + 1, TEXT))
                        await asyncio.sleep(0.02)
                await published.end(None, None)
            with pytest.raises(ConnectionClosed) as closed:
                await read_all(late)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
            assert "come back for the rest" in closed.value.rcvd.reason
        numbers = [m.seq for m in prompt.result() if not isinstance(m, ViewerHello | Words | Gap)]
        assert numbers == list(range(1, stream.log.last + 1))

    asyncio.run(go())


async def read_all(socket: ClientConnection) -> None:
    while True:
        await socket.recv()


async def told(viewer: Viewer) -> list[Told]:
    async with aclosing(viewer.messages()) as messages:
        return [message async for message in messages]


def test_a_viewer_hears_the_kinds_and_the_form_it_wishes() -> None:
    async def go() -> None:
        async with live_service(Workshop(TwoFormDescriber).equipment()) as live:
            await publish(live.address(), HELLO, letters("q" * 30))
            whole = [m for m in await told(Viewer(live.address())) if isinstance(m, Ad)]
            wishes = Wishes(kinds=(Kind.TEXT,), form=FormChoice.SHORT)
            less = [
                m for m in await told(Viewer(live.address(), wishes=wishes)) if isinstance(m, Ad)
            ]
            assert {m.kind for m in whole} == {Kind.TEXT, Kind.SCENE}
            assert [m.id for m in less] == [m.id for m in whole if m.kind is Kind.TEXT]
            assert all(m.text == m.forms[0] for m in less)
            assert any(m.text != m.forms[0] for m in whole)

    asyncio.run(go())


def test_words_and_gaps_come_to_who_wishes_them() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            wishes = Wishes(extras=(Extra.TRANSCRIPT, Extra.GAPS))
            wishing, plain = Viewer(live.address(), wishes=wishes), Viewer(live.address())
            async with asyncio.TaskGroup() as tasks:
                more, less = tasks.create_task(told(wishing)), tasks.create_task(told(plain))
                await until_watched(live, 2)
                await publish(live.address(), HELLO, letters("qqqqttqqqqqqqqqq", 0.01))
            words = [m for m in more.result() if isinstance(m, Words)]
            assert [word.text for m in words for word in m.words] == ["word", "word"]
            gaps = [(m.start, m.end) for m in more.result() if isinstance(m, Gap)]
            assert gaps == [(0.0, None), (0.0, 4.0), (6.0, None)]
            assert not [m for m in less.result() if isinstance(m, Words | Gap)]
            numbered = [m for m in more.result() if not isinstance(m, Words | Gap | ViewerHello)]
            assert numbered == less.result()[1:]

    asyncio.run(go())


async def until_watched(live: LiveService, viewers: int) -> None:
    async with asyncio.timeout(5):
        while True:
            listing = await live.station.streams.listing()
            if sum(line.viewers for line in listing) >= viewers:
                return
            await asyncio.sleep(0.01)


def test_a_viewer_asks_while_it_watches() -> None:
    async def go() -> None:
        async with live_service(Workshop(TwoFormDescriber).equipment()) as live:
            viewer = Viewer(live.address())
            with pytest.raises(PeerGoneError, match="no connection"):
                await viewer.scene()
            async with aclosing(viewer.messages()) as messages, asyncio.TaskGroup() as tasks:
                await anext(messages)
                media = letters("q" * 40, 0.02)
                tasks.create_task(publish(live.address(), HELLO, media))
                ads = [m async for m in first_ads(messages, 4)]
                reading = tasks.create_task(read_on(messages))
                missed = await viewer.missed(since=ads[1].start, until=ads[3].start)
                assert list(missed.ads) == sorted(ads[1:3], key=lambda a: a.start)
                scene = await viewer.scene(at=ads[2].start)
                assert {thing.kind for thing in scene.things} == {Kind.SCENE, Kind.TEXT}
                assert scene.draft
                said = [thing for thing in scene.things if thing.spoken]
                assert {thing.text for thing in said} <= {a.forms[-1] for a in ads}
                preferred = await viewer.prefer(Wishes(kinds=(), extras=(Extra.GAPS,)))
                assert (preferred.kinds, preferred.extras) == ((), (Extra.GAPS,))
                rest = await reading
            assert isinstance(rest[-1], End)
            numbers = [m.number for m in rest if isinstance(m, Ad)]
            assert numbers == [] or numbers[-1] < rest[-1].summary.events  # type: ignore[union-attr]

    asyncio.run(go())


async def first_ads(messages: AsyncIterator[Told], most: int) -> AsyncIterator[Ad]:
    async for message in messages:
        if isinstance(message, Ad):
            yield message
            most -= 1
        if not most:
            return


async def read_on(messages: AsyncIterator[Told]) -> list[Told]:
    return [message async for message in messages]


def test_a_viewer_that_asks_too_much_is_told_so() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            viewer = Viewer(live.address())
            async with aclosing(viewer.messages()) as messages, asyncio.TaskGroup() as tasks:
                await anext(messages)
                reading = tasks.create_task(read_on(messages))
                for _ in range(10):
                    await viewer.scene()
                with pytest.raises(RateLimitError):
                    await viewer.scene()
                with pytest.raises(RateLimitError):
                    await viewer.missed(since=0.0)
                reading.cancel()

    asyncio.run(go())


@pytest.mark.parametrize(
    ("text", "answers", "code"),
    [
        ('{"type": "missed", "id": "m1"}', "m1", "protocol"),
        ('{"type": "applause", "id": "a1"}', "a1", "unknown-message"),
        ('{"type": "scene", "more": "' + "x" * 5_000 + '"}', "scene", "protocol"),
        ("noise", None, "protocol"),
    ],
)
def test_a_request_that_means_nothing_is_answered(
    text: str, answers: str | None, code: str
) -> None:
    async def go() -> None:
        async with (
            live_service(Workshop().equipment()) as live,
            open_connection(live.address().events(), direct=True) as connection,
        ):
            await connection.receive(5.0)
            await connection.send(text, 5.0)
            error = parse_for_viewer(await connection.receive(5.0) or "")
            assert error.type == "error"
            assert (error.answers, error.code, error.fatal) == (answers, code, False)

    asyncio.run(go())
