"""``describe`` and ``listen`` over real sockets: each event once, whatever breaks; and stopped."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clients.python import (
    Ad,
    Container,
    End,
    Event,
    Pace,
    State,
    Withdraw,
    describe,
    describing,
    given_bytes,
    listen,
)
from clients.python.describing import address_of
from service.settings import Auth, Pull, Settings
from strad.errors import InputError, MediaError, PeerGoneError, WorkError
from strad.wire.viewing import About, Logged, StreamState
from tests.service import ads
from tests.service.cutter import cutter
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.pull.origin import Page, serving
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET

pytestmark = pytest.mark.service

ROOT = Path(__file__).parents[3]
PATIENT = replace(SETTINGS, limits=replace(SETTINGS.limits, grace=20.0))
ABOUT = About(describer="facts", draft=True, delay=12.0, language="en")
LIMIT = 30.0


async def letters(text: str, pause: float = 0.005) -> AsyncIterator[bytes]:
    """Spelled media, a second a letter."""
    for letter in text:
        yield letter.encode()
        await asyncio.sleep(pause)


async def all_of(events: AsyncIterator[Event]) -> list[Event]:
    async with asyncio.timeout(LIMIT):
        return [event async for event in events]


def numbers(events: list[Event]) -> list[int]:
    return [event.seq for event in events if hasattr(event, "seq")]


def running(
    go: Callable[[LiveService], Coroutine[Any, Any, None]], settings: Settings = SETTINGS
) -> None:
    async def whole() -> None:
        async with live_service(Workshop().equipment(), settings) as live:
            await go(live)

    asyncio.run(whole())


def url(live: LiveService, name: str = "news") -> str:
    return f"http://127.0.0.1:{live.port}/v1/streams/{name}"


def test_bytes_are_described_over_a_wire_that_is_cut_again_and_again() -> None:
    async def go(live: LiveService) -> None:
        # Publishing and watching each lose connections: their order is the network's.
        async with cutter(live.port, 600, 900, 650, 700, 800) as wire:
            to = f"http://127.0.0.1:{wire.port}/v1/streams/news"
            source = letters("q" * 40, 0.02)
            events = await all_of(describe(source, to, container=Container.WEBM, delay=3.0))
            assert wire.connections > 3
        assert numbers(events) == list(range(1, len(events) + 1))
        assert isinstance(events[-1], End)
        assert events[-1].summary is not None
        assert events[-1].summary.live_edge == 40.0
        assert [e for e in events if isinstance(e, Ad)]
        assert await all_of(listen(url(live))) == events
        assert await all_of(listen(url(live), after=3, log=await log_of(live))) == events[3:]

    running(go, PATIENT)


async def log_of(live: LiveService, name: str = "news") -> str:
    log = await live.station.log.find(name)
    assert log is not None
    return log.name


def test_withdrawals_are_told_and_who_is_slow_misses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(describing, "AHEAD", 1)

    async def go(live: LiveService) -> None:
        told: list[Logged] = []
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(all_of(listen(url(live))))
            async with live.station.streams.publishing("news", ABOUT) as stream:
                await stream.move(StreamState.LIVE)
                await stream.log.append(lambda n: ads.ad(n, 4, 6, provisional=True))
                await stream.log.append(
                    lambda n: Withdraw(seq=n, id="ad-2", at=4.5, reason="speech")
                )
                await stream.end(None, None)
                told = [entry.message for entry in await stream.log.read(0)]
        assert listening.result() == told

    running(go)


def test_a_url_is_fetched_by_the_service_and_let_go_when_nobody_listens() -> None:
    async def go(live: LiveService) -> None:
        async with serving() as origin:
            origin.pages["/a.webm"] = Page(b"q")
            whole = await all_of(describe(origin.url("/a.webm"), url(live, "whole"), delay=2.0))
            assert isinstance(whole[-1], End)
            origin.pages["/endless.webm"] = Page(b"qq", silent=True)
            async with aclosing(describe(origin.url("/endless.webm"), url(live))) as events:
                async with asyncio.timeout(LIMIT):
                    assert isinstance(await anext(events), State)
            rest = await all_of(listen(url(live)))
            assert isinstance(rest[-1], End)
            with pytest.raises(InputError, match=r"\w"):
                await all_of(describe("http://10.0.0.1/a.webm", url(live, "other")))

    running(go, replace(SETTINGS, pull=Pull(allow=("127.0.0.1",), connect=2.0, silence=60.0)))


@pytest.mark.parametrize("how", ["closed", "cancelled", "dropped"])
def test_whoever_stops_ends_the_stream(how: str) -> None:
    async def go(live: LiveService) -> None:
        began = asyncio.Event()

        async def some() -> None:
            events = describe(letters("q" * 10_000, 0.01), url(live), container=Container.WEBM)
            async for _ in events:
                began.set()
                if how == "closed":
                    await events.aclose()
                    return
                if how == "dropped":
                    return

        async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as tasks:
            task = tasks.create_task(some())
            await began.wait()
            if how == "cancelled":
                task.cancel()
        rest = await all_of(listen(url(live)))
        assert isinstance(rest[-1], End)
        assert rest[-1].summary is not None
        assert rest[-1].summary.live_edge < 9_000

    running(go)


def test_what_goes_wrong_is_told_in_one_line_or_as_it_was(tmp_path: Path) -> None:
    async def breaking() -> AsyncIterator[bytes]:
        yield b"qqqqqqqqqq"
        raise ValueError("my own")

    async def go(live: LiveService) -> None:
        with pytest.raises(ValueError, match="my own"):
            await all_of(describe(breaking(), url(live, "a"), container=Container.WEBM))
        assert isinstance((await all_of(listen(url(live, "a"))))[-1], End)
        with pytest.raises(MediaError, match="no media in this"):
            await all_of(describe(letters("qqx"), url(live, "b"), container=Container.WEBM))
        with pytest.raises(InputError, match="not WebM"):
            await all_of(describe(letters("q" * 20), url(live, "c")))
        with pytest.raises(InputError, match="no such file"):
            await all_of(describe(tmp_path / "none.webm", url(live, "d")))
        with pytest.raises(InputError, match="delay"):
            await all_of(describe(letters("q"), url(live, "e"), delay=-1.0))
        with pytest.raises(InputError, match="names no stream"):
            await all_of(listen(f"http://127.0.0.1:{live.port}/"))

    running(go)
    with pytest.raises(PeerGoneError, match="can't connect"):
        asyncio.run(all_of(describe(letters("q"), "http://127.0.0.1:9", container=Container.WEBM)))


def test_who_may_not_publish_is_told_so_and_nothing_waits() -> None:
    async def go(live: LiveService) -> None:
        with pytest.raises(InputError, match="key"):
            await all_of(
                describe(letters("q"), url(live), token="strad-key.no", container=Container.WEBM)
            )

    running(go, replace(SETTINGS, auth=Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE)))


def test_bytes_that_were_too_many_to_keep_are_not_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(given_bytes, "MOST_KEPT", 10)
    monkeypatch.setattr(describing, "LAST_WORDS", 0.1)

    async def go(live: LiveService) -> None:
        async with cutter(live.port, 600) as wire:
            to = f"http://127.0.0.1:{wire.port}/v1/streams/news"
            with pytest.raises(WorkError, match="can't be sent again"):
                await all_of(describe(letters("q" * 60, 0.02), to, container=Container.WEBM))

    running(go, PATIENT)


def test_a_service_alone_gives_the_stream_a_name_of_its_own() -> None:
    one, two = address_of("http://127.0.0.1:8000"), address_of("http://127.0.0.1:8000/")
    assert one.name != two.name
    assert one.name.startswith("described-")
    assert address_of("https://example.org/v1/streams/news").name == "news"
    with pytest.raises(InputError):
        address_of("http://[")


def test_the_example_on_its_page_runs_as_it_is(tmp_path: Path) -> None:
    page = (ROOT / "docs/python-client.md").read_text(encoding="utf-8")
    example = tmp_path / "example.py"
    example.write_text(re.findall(r"```python\n(.*?)```", page, re.S)[0], encoding="utf-8")
    film = tmp_path / "film.ogg"
    film.write_bytes(b"OggS" + b"q" * 26)

    async def go(live: LiveService) -> None:
        program = await asyncio.create_subprocess_exec(
            sys.executable,
            *(example, film, url(live)),
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(60):
            out, _ = await program.communicate()
        assert program.returncode == 0
        said = [e for e in await all_of(listen(url(live))) if isinstance(e, Ad)]
        printed = out.decode().splitlines()
        assert [line for line in printed if not line.startswith("taken back")] == [
            f"{ad.start:.1f}-{ad.end:.1f} {ad.text}" for ad in said
        ]

    running(go)


def test_a_file_is_taken_as_it_is(tmp_path: Path) -> None:
    film = tmp_path / "film.webm"
    film.write_bytes(b"q" * 12)

    async def go(live: LiveService) -> None:
        events = await all_of(describe(film, url(live), pace=Pace.FAST))
        assert isinstance(events[-1], End)

    running(go)
