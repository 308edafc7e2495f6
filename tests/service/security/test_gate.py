"""The gate over real sockets: who gets in, who is told why not, and for how long one stays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from clients.python.address import StreamAddress
from clients.python.publisher import open_publisher, publish
from clients.python.viewer import watch
from service.security.calendar import now
from service.settings import Auth
from strad.errors import PeerGoneError
from strad.wire.auth import Auth as AuthMessage
from strad.wire.publishing import Container, Hello
from strad.wire.viewing import Ad
from tests.service.fakes import Workshop
from tests.service.live import SETTINGS, LiveService, live_service
from tests.service.security.issuer import AUDIENCE, ISSUER, SECRET, hs256
from tests.service.test_server import letters

pytestmark = pytest.mark.service

HELLO = Hello(container=Container.WEBM).to_json()
AUTH = Auth(secret=SECRET, issuer=ISSUER, audience=AUDIENCE, leeway=0.001, wait=0.4)
PUBLISHER, VIEWER = hs256(scope="publish"), hs256(scope="subscribe")


@asynccontextmanager
async def guarded(**changes: Any) -> AsyncIterator[LiveService]:
    settings = replace(SETTINGS, auth=replace(AUTH, **changes))
    async with live_service(Workshop().equipment(), settings) as live:
        yield live


@asynccontextmanager
async def socket(
    live: LiveService,
    path: str = "/v1/streams/news/media",
    token: str | None = None,
    subprotocols: Sequence[Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> AsyncIterator[ClientConnection]:
    sent = dict(headers or {}) | ({"Authorization": f"Bearer {token}"} if token else {})
    url = f"ws://127.0.0.1:{live.port}{path}"
    async with connect(
        url, additional_headers=sent, subprotocols=subprotocols, proxy=None, open_timeout=5
    ) as made:
        yield made


async def refusal(connection: ClientConnection) -> tuple[str, int, str]:
    """The error's code, the close code and its reason."""
    async with asyncio.timeout(5):
        code = ""
        with suppress(ConnectionClosed):
            while True:
                code = json.loads(await connection.recv()).get("code", code)
        return code, connection.close_code or 0, connection.close_reason or ""


async def is_ready(connection: ClientConnection) -> bool:
    await connection.send(HELLO)
    async with asyncio.timeout(5):
        return bool(json.loads(await connection.recv())["type"] == "ready")


def test_a_publisher_and_a_viewer_with_tokens_meet() -> None:
    async def go() -> None:
        async with guarded() as live, asyncio.TaskGroup() as tasks:
            url = f"http://127.0.0.1:{live.port}/v1/streams/news"
            seen: list[object] = []

            async def view() -> None:
                told = watch(StreamAddress.parse(url, VIEWER))
                seen.extend([message async for message in told])

            viewing = tasks.create_task(view())
            hello = Hello(container=Container.WEBM)
            address = StreamAddress.parse(url, PUBLISHER)
            assert PUBLISHER not in repr(address)
            summary = await publish(address, hello, letters("q" * 20, 0.01))
            await viewing
            assert len([m for m in seen if isinstance(m, Ad)]) == summary.events >= 1

    asyncio.run(go())


WRONG = {
    VIEWER: "forbidden",
    hs256(scope="publish", streams="sport"): "forbidden",
    hs256(scope=""): "forbidden",
    hs256(exp=now() - timedelta(minutes=1)): "unauthorized",
    hs256(SECRET[::-1]): "unauthorized",
    "nonsense": "unauthorized",
    "strad-ticket.x.y": "unauthorized",
    "strad-key.0123.x": "unauthorized",
}


def test_a_wrong_token_is_refused_by_name_and_code() -> None:
    async def go() -> None:
        async with guarded() as live:
            for token, code in WRONG.items():
                async with socket(live, token=token) as publisher:
                    assert (await refusal(publisher))[:2] == (code, 1008), token

    asyncio.run(go())


def test_without_any_token_media_is_not_taken_and_the_wait_is_short() -> None:
    async def go() -> None:
        async with guarded() as live:
            clock = asyncio.get_running_loop().time
            begun = clock()
            async with socket(live) as silent:
                code, closed, reason = await refusal(silent)
            assert (code, closed) == ("unauthorized", 1008)
            assert "no auth message came" in reason
            assert clock() - begun < 3
            for first in (b"qqqq", HELLO, '{"type": "auth"}', '{"type": "auth", "token": ""}'):
                async with socket(live) as publisher:
                    await publisher.send(first)
                    assert (await refusal(publisher))[1] in (1002, 1008)
            assert live.station.streams.live == 0

    asyncio.run(go())


def test_the_first_message_may_be_auth() -> None:
    async def go() -> None:
        async with guarded() as live, socket(live) as publisher:
            await publisher.send(AuthMessage(token=PUBLISHER).to_json())
            assert await is_ready(publisher)
        async with live_service(Workshop().equipment()) as live, socket(live) as publisher:
            await publisher.send(AuthMessage(token="whatever").to_json())
            assert await is_ready(publisher)

    asyncio.run(go())


def test_a_token_in_the_url_is_refused_with_a_hint() -> None:
    async def go() -> None:
        async with guarded() as live:
            for name in ("token", "access_token", "key", "Ticket"):
                path = f"/v1/streams/news/media?{name}={PUBLISHER}"
                async with socket(live, path, token=PUBLISHER) as publisher:
                    code, closed, reason = await refusal(publisher)
                assert (code, closed) == ("unauthorized", 1008)
                assert "URL" in reason
                assert PUBLISHER not in reason
            async with client(live) as http:
                answer = await http.get("/v1/streams?token=x", headers=bearer(VIEWER))
                assert answer.status_code == 401
                assert "Authorization: Bearer" in answer.json()["message"]

    asyncio.run(go())


def client(live: LiveService) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://127.0.0.1:{live.port}", trust_env=False)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_browser_comes_by_ticket_once() -> None:
    async def go() -> None:
        async with guarded() as live, client(live) as http:
            wanted = {"stream": "news", "scope": "publish"}
            answer = await http.post("/v1/tickets", json=wanted, headers=bearer(PUBLISHER))
            assert answer.status_code == 201
            ticket = answer.json()["ticket"]
            async with socket(live, subprotocols=["strad.v1", ticket]) as publisher:
                assert publisher.subprotocol == "strad.v1"
                assert await is_ready(publisher)
            async with socket(live, subprotocols=["strad.v1", ticket]) as again:
                code, closed, reason = await refusal(again)
                assert (code, closed) == ("unauthorized", 1008)
                assert "used already" in reason
            ticket = (await http.post("/v1/tickets", json=wanted, headers=bearer(PUBLISHER))).json()
            path = "/v1/streams/sport/media"
            async with socket(live, path, subprotocols=["strad.v1", ticket["ticket"]]) as other:
                assert (await refusal(other))[0] == "forbidden"

    asyncio.run(go())


def test_a_ticket_is_no_wider_than_the_key_behind_it_and_waits_only_so_long() -> None:
    async def go() -> None:
        async with guarded(ticket_seconds=0.2) as live, client(live) as http:
            for wanted, token in (
                ({"stream": "news", "scope": "publish"}, VIEWER),
                ({"stream": "news", "scope": "subscribe"}, hs256(streams="sport")),
            ):
                answer = await http.post("/v1/tickets", json=wanted, headers=bearer(token))
                assert answer.status_code == 403
            answer = await http.post("/v1/tickets", json={"stream": "news"}, headers=bearer(VIEWER))
            await asyncio.sleep(0.3)
            path = "/v1/streams/news/events"
            async with socket(
                live, path, subprotocols=["strad.v1", answer.json()["ticket"]]
            ) as late:
                assert "expired" in (await refusal(late))[2]

    asyncio.run(go())


def test_a_cookie_fetches_one_streams_tracks_and_nothing_else() -> None:
    async def go() -> None:
        async with guarded() as live, client(live) as http:
            answer = await http.post("/v1/streams/news/cookie", headers=bearer(VIEWER))
            header = answer.headers["set-cookie"].lower()
            for part in ("httponly", "samesite=strict", "path=/v1/streams/news/", "max-age=3600"):
                assert part in header
            cookie = {"Cookie": f"strad-viewer={answer.cookies['strad-viewer']}"}
            http.cookies.clear()
            track = "/v1/streams/{}/descriptions.vtt"
            assert (await http.get(track.format("news"), headers=cookie)).status_code == 404
            assert (await http.get(track.format("sport"), headers=cookie)).status_code == 403
            posted = await http.post("/v1/streams/news/cookie", headers=cookie)
            assert posted.status_code == 401
            forged = {"Cookie": "strad-viewer=strad-cookie.e30.AAAA"}
            assert (await http.get(track.format("news"), headers=forged)).status_code == 401
            assert (await http.get(track.format("news"))).status_code == 401

    asyncio.run(go())


def test_a_connection_ends_with_its_token_and_what_was_sent_stands() -> None:
    async def go() -> None:
        async with guarded() as live:
            soon = hs256(scope="publish subscribe", exp=now() + timedelta(seconds=1.6))
            path = "/v1/streams/news/events"
            async with (
                socket(live, token=soon) as publisher,
                socket(live, path, token=soon) as viewer,
                socket(live, path, token=VIEWER) as other,
            ):
                assert await is_ready(publisher)
                await publisher.send(b"qqqqqqqqqq")
                assert (await refusal(viewer))[:2] == ("", 1008)
                assert (await refusal(publisher))[:2] == ("expired", 1008)
                del other

    asyncio.run(go())


def test_a_connection_goes_on_with_a_fresh_token_of_the_same_caller() -> None:
    async def go() -> None:
        async with guarded() as live:
            soon = hs256(scope="publish", exp=now() + timedelta(seconds=1.5))
            async with socket(live, token=soon) as publisher:
                assert await is_ready(publisher)
                for wrong in (hs256(scope="publish", sub="eve"), VIEWER, "x"):
                    await publisher.send(AuthMessage(id="a1", token=wrong).to_json())
                    answer = {"type": ""}
                    while answer["type"] != "error":
                        answer = json.loads(await publisher.recv())
                    assert (answer["answers"], answer["fatal"]) == ("a1", False)
                await publisher.send(AuthMessage(token=PUBLISHER).to_json())
                await asyncio.sleep(1.7)
                await publisher.send(b"qqqq")
                await publisher.send('{"type": "finish"}')
                said = [json.loads(text)["type"] async for text in publisher]
                assert said[-1] == "summary"

    asyncio.run(go())


def test_only_welcome_pages_may_connect() -> None:
    async def go() -> None:
        async with guarded(origins=("https://player.example",)) as live:
            for origin in ("https://player.example", "http://localhost:3000"):
                headers = {"Origin": origin}
                async with socket(live, token=PUBLISHER, headers=headers) as publisher:
                    assert await is_ready(publisher)
            for origin in ("https://evil.example", "http://player.example", "null"):
                with pytest.raises(InvalidStatus):
                    async with socket(live, token=PUBLISHER, headers={"Origin": origin}):
                        pass
            async with client(live) as http:
                asked = {"Origin": "https://evil.example"} | bearer(VIEWER)
                answer = await http.post("/v1/tickets", json={"stream": "a"}, headers=asked)
                assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
                asked = {"Origin": "https://player.example"} | bearer(VIEWER)
                allowed = "access-control-allow-origin"
                for origin in ("https://player.example", "http://localhost:3000"):
                    asked["Origin"] = origin
                    answer = await http.get("/v1/streams", headers=asked)
                    assert answer.headers[allowed] == origin
                    assert "Origin" in answer.headers["vary"]
                    before = {
                        "Origin": origin,
                        "Access-Control-Request-Method": "POST",
                        "Access-Control-Request-Headers": "authorization,content-type",
                    }
                    flags = "/v1/streams/a/events/ad-1/flags"
                    answer = await http.options(flags, headers=before)
                    assert (answer.status_code, answer.headers[allowed]) == (200, origin)
                asked["Origin"] = "https://evil.example"
                assert allowed not in (await http.get("/v1/streams", headers=asked)).headers

    asyncio.run(go())


def test_other_pages_start_nothing_on_a_service_without_keys() -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live, client(live) as http:
            evil = {"Origin": "https://evil.example", "Content-Type": "text/plain"}
            for method, path in (
                ("POST", "/v1/streams"),
                ("POST", "/v1/jobs"),
                ("DELETE", "/v1/streams/news"),
            ):
                answer = await http.request(method, path, content=b"{}", headers=evil)
                assert answer.status_code == 403
            ours = {"Origin": f"http://localhost:{live.port}"}
            answer = await http.delete("/v1/streams/news", headers=ours)
            assert answer.status_code == 404

    asyncio.run(go())


def test_one_caller_has_so_much_open_and_asks_so_often() -> None:
    async def go() -> None:
        async with guarded(streams=1, requests=5.0) as live, client(live) as http:
            address = StreamAddress.parse(f"http://127.0.0.1:{live.port}/a", PUBLISHER)
            async with open_publisher(address, Hello(container=Container.WEBM)):
                async with socket(live, "/v1/streams/b/media", token=PUBLISHER) as second:
                    code, closed, reason = await refusal(second)
                assert (code, closed) == ("rate-limited", 1013)
                assert "1 streams at once" in reason
            answers = [await http.get("/v1/streams", headers=bearer(VIEWER)) for _ in range(15)]
            refused = [a for a in answers if a.status_code == 429]
            assert refused
            assert refused[0].headers["retry-after"] == "1"
            assert refused[0].json()["retryable"]

    asyncio.run(go())


def test_a_body_is_read_no_further_than_the_limit() -> None:
    async def go() -> None:
        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b" " * 65_536

        async with guarded() as live, client(live) as http:
            headers = bearer(VIEWER) | {"Content-Type": "application/json"}
            big = await http.post("/v1/tickets", content=b" " * 300_000, headers=headers)
            assert big.status_code == 413
            try:
                chunked = await http.post("/v1/tickets", content=endless(), headers=headers)
                assert chunked.status_code == 413
            except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
                pass

    asyncio.run(go())


def test_a_message_too_long_before_auth_closes_the_connection() -> None:
    async def go() -> None:
        async with guarded() as live, socket(live) as publisher:
            await publisher.send(b"q" * 2_000_000)
            with pytest.raises((ConnectionClosed, PeerGoneError)):
                await publisher.recv()

    asyncio.run(go())
