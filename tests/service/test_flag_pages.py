"""A viewer flags a description, on its socket or over HTTP; an operator takes all flags away."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from clients.python.viewer import Viewer
from service import flag_desk
from service.security.gate import ANYBODY
from service.settings import Auth
from strad.errors import NotFoundError, RateLimitError
from strad.flag import FLAGS, FlagKind
from strad.wire.asking import Finding
from strad.wire.viewing import About, Withdraw
from tests.service.ads import ad
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256

pytestmark = pytest.mark.service

ABOUT = About(describer="facts", draft=True, delay=12.0, language="en")
WRONG = Finding(kind=FlagKind.WRONG, note="It is a dog.", by="k3Jd0aQ2")
AUTH = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE)
VIEWER, ADMIN = hs256(scope="subscribe"), hs256(scope="admin")


@asynccontextmanager
async def on_air(auth: Auth | None = None) -> AsyncIterator[LiveService]:
    """A service with one live stream: two descriptions, the second of which was withdrawn."""
    settings = replace(SETTINGS, auth=auth or SETTINGS.auth)
    async with (
        live_service(Workshop().equipment(), settings) as live,
        live.station.streams.publishing("news", ABOUT) as stream,
    ):
        await stream.move(stream.state)
        await stream.log.append(lambda seq: ad(seq, 16, 18, "A cat runs."))
        await stream.log.append(lambda seq: ad(seq, 30, 32, "A car.", provisional=True))
        await stream.log.append(
            lambda seq: Withdraw(seq=seq, id=f"ad-{seq - 1}", at=31.0, reason="speech")
        )
        yield live
        await stream.end(None, None)


def client(live: LiveService, token: str = "") -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    base = f"http://127.0.0.1:{live.port}/v1/streams/news/"
    return httpx.AsyncClient(base_url=base, headers=headers, trust_env=False)


def test_a_viewer_flags_with_what_it_watches_through() -> None:
    async def go() -> None:
        async with on_air() as live:
            viewer = Viewer(live.address())
            async with aclosing(viewer.messages()) as messages, asyncio.timeout(30):
                await anext(messages)
                async with asyncio.TaskGroup() as tasks:
                    reading = tasks.create_task(_read_all(messages))
                    first = await viewer.flag("ad-2", WRONG)
                    again = await viewer.flag("ad-2", WRONG)
                    assert (first.event, first.kind, first.again) == ("ad-2", "wrong", False)
                    assert again.again
                    withdrawn = await viewer.flag("ad-3", Finding(kind=FlagKind.LATE))
                    assert not withdrawn.again
                    with pytest.raises(NotFoundError, match="no description ad-9"):
                        await viewer.flag("ad-9", WRONG)
                    reading.cancel()
            async with client(live) as http:
                answer = await http.get("flags.jsonl")
            header, events = FLAGS.read(answer.text.splitlines())
            assert header is not None
            assert (header.stream, len(header.log)) == ("news", 16)
            assert [(e.id, e.text, e.start, e.withdrawn) for e in events] == [
                ("ad-2", "A cat runs.", 16.0, None),
                ("ad-3", "A car.", 30.0, "speech"),
            ]
            assert [(f.kind, f.note) for f in events[0].flags] == [("wrong", "It is a dog.")]
            assert events[0].describer == "facts"
            assert "k3Jd0aQ2" not in answer.text

    asyncio.run(go())


async def _read_all(messages: AsyncIterator[Any]) -> None:
    async for _ in messages:
        pass


def test_over_http_it_is_the_same_and_flags_are_for_those_who_may() -> None:
    async def go() -> None:
        async with on_air(AUTH) as live:
            said = {"kind": "wrong", "note": "It is a dog.", "by": "one"}
            async with client(live, VIEWER) as viewer, client(live, ADMIN) as admin:
                first = await viewer.post("events/ad-2/flags", json=said)
                assert (first.status_code, first.json()["again"]) == (200, False)
                other = await viewer.post("events/ad-2/flags", json=said | {"by": "two"})
                assert not other.json()["again"]
                assert (await viewer.post("events/ad-2/flags", json=said)).json()["again"]
                lone = b'{"kind": "other", "note": "\\ud800"}'
                spelled = await viewer.post(
                    "events/ad-3/flags", content=lone, headers={"Content-Type": "application/json"}
                )
                assert spelled.status_code in (200, 422)
                for wrong in ({}, {"kind": "bad"}, said | {"note": "x" * 501}, said | {"by": "?"}):
                    assert (await viewer.post("events/ad-2/flags", json=wrong)).status_code == 422
                assert (await viewer.post("events/none/flags", json=said)).status_code == 404
                assert (await viewer.get("flags.jsonl")).status_code == 403
                exported = await admin.get("flags.jsonl")
                _, (event, *_) = FLAGS.read(exported.text.splitlines())
                assert len({flag.by for flag in event.flags}) == 2
            async with client(live) as stranger:
                assert (await stranger.post("events/ad-2/flags", json=said)).status_code == 401

    asyncio.run(go())


def test_an_operator_sees_them_in_a_terminal_and_takes_them_away(tmp_path: Path) -> None:
    async def go() -> None:
        async with on_air() as live:
            async with client(live) as http:
                for by in ("one", "two"):
                    said = {"kind": "wrong", "note": "It is \x1ba dog." if by == "one" else ""}
                    await http.post("events/ad-2/flags", json=said | {"by": by})
                exported = (await http.get("flags.jsonl")).text
                status = (await http.get("status")).json()
            assert status["flags"] == 2
            url = f"http://127.0.0.1:{live.port}/v1/streams/news"
            file = tmp_path / "news.flags.jsonl"
            shown = await command(url)
            await command(url, "--export", str(file))
            assert shown == "00:16.0-00:18.0  wrong 2: A cat runs. | It is \ufffda dog.\n"
            assert file.read_text(encoding="utf-8") == exported

    asyncio.run(go())


async def command(*arguments: str) -> str:
    """What ``strad flags`` prints."""
    main = "from service.cli.main import main; main()"
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", main, "flags", *arguments),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    async with asyncio.timeout(60):
        out, _ = await program.communicate()
    assert program.returncode == 0
    return out.decode()


def test_one_caller_has_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flag_desk, "A_SECOND", 0.001)

    async def go() -> None:
        async with on_air() as live:
            log = await live.station.log.find("news")
            assert log is not None
            desk = live.station.flags
            assert await desk.take(log, "ad-2", WRONG, ANYBODY) is False
            with pytest.raises(RateLimitError):
                await desk.take(log, "ad-2", WRONG, ANYBODY)
            assert await desk.take(log, "ad-2", WRONG, replace(ANYBODY, id="key:other")) is False
            assert await log.flags.count() == 2

    asyncio.run(go())
