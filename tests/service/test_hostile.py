"""A hostile crowd against ``strad serve``: each is refused in one line, and nobody is harmed."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.service.publishing import HELLO
from tests.service.test_processes import finish, service
from tests.service.test_server import until

pytestmark = [pytest.mark.service, pytest.mark.slow]

HALF_OPEN = 300
ALONE = json.dumps(HELLO)
FRAMED = json.dumps(HELLO | {"container": "framed"})
DEEP = "[" * 100_000
LARGE = 2_000_000
NOISE = random.Random(1).randbytes(200_000)
TIMELESS = b"\1\0\0\0\0\0\0\0" + b"\xff" * 8 + b"x" * 50
NAN = '{"type":"captions","until":NaN,"cues":[]}'
INFINITE = '{"type":"captions","until":1e999,"cues":[]}'
HUGE = '{"type":"epoch","stream":0,"player":1e308,"rate":1e308}'


def hello(**fields: str) -> str:
    """A hello with these fields as they stand, which may be no JSON."""
    words = {name: json.dumps(value) for name, value in HELLO.items()} | fields
    return "{" + ", ".join(f'"{name}": {value}' for name, value in words.items()) + "}"


@dataclass(frozen=True, slots=True)
class Publisher:
    """Sends these, and is told an error; ``close`` is 0 where its stream goes on."""

    sent: tuple[str | bytes, ...]
    code: str
    close: int
    name: str = ""


PUBLISHERS = (
    Publisher((b"\0" * 100,), "protocol", 1002),
    Publisher(("{",), "protocol", 1002),
    Publisher((DEEP,), "protocol", 1002),
    Publisher(('{"type":' * 50_000,), "protocol", 1002),
    Publisher(("[]",), "protocol", 1002),
    Publisher(('{"type": "nope"}',), "unknown-message", 1002),
    Publisher(('{"type": "finish"}',), "protocol", 1002),
    Publisher((INFINITE,), "protocol", 1002),
    Publisher((hello(delay="NaN"),), "protocol", 1002),
    Publisher((hello(delay="1e999"),), "protocol", 1002),
    Publisher((hello(delay="9" * 4_000),), "protocol", 1002),
    Publisher((hello(version="9" * 4_000),), "protocol", 1002),
    Publisher((hello(language='"\\ud800"'),), "protocol", 1002),
    Publisher((hello(describer='"../../etc/passwd"'),), "bad-input", 1008),
    Publisher((hello(resume='"../../../etc/passwd"'),), "unauthorized", 1008),
    Publisher(("x" * LARGE,), "", 1009),
    Publisher((ALONE, b"x" * LARGE), "", 1009),
    Publisher((ALONE, NOISE), "no-media", 1003),
    Publisher((ALONE, *("{}",) * 60), "protocol", 1002),
    Publisher((ALONE, ALONE), "protocol", 0),
    Publisher((ALONE, NAN), "protocol", 0),
    Publisher((ALONE, INFINITE), "protocol", 0),
    Publisher((ALONE, HUGE), "protocol", 0),
    Publisher((ALONE, DEEP), "protocol", 0),
    Publisher((FRAMED, b"\1"), "protocol", 0),
    Publisher((FRAMED, TIMELESS), "protocol", 0),
    Publisher((ALONE,), "bad-input", 1008, "%F0%9F%98%80"),
    Publisher((ALONE,), "bad-input", 1008, ".."),
    Publisher((ALONE,), "bad-input", 1008, "a%00b"),
    Publisher((ALONE,), "bad-input", 1008, "a%0d%0ab"),
    Publisher((ALONE,), "bad-input", 1008, "a" * 5_000),
)

REFUSED_PATHS = (
    "/v1/streams/..%2f..%2fetc%2fpasswd/media",
    "/v1/streams/news/events?after=" + "9" * 100,
    "/v1/streams/news/events?after=-1",
    "/v1/streams/news/events?after=NaN",
    "/v1/streams/news/events?after=1&log=%00%00",
)

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
RAW = {
    b"".join((HEAD, *(b"X-%d: %s\r\n" % (n, b"y" * 900) for n in range(300)), b"\r\n")): 400,
    HEAD + b"X: " + b"y" * 300_000 + b"\r\n\r\n": 400,
    b"GET /" + b"y" * 300_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n": 400,
    HEAD + b"Content-Length: -5\r\n\r\n": 400,
    HEAD.replace(b"GET /healthz", b"POST /v1/jobs")
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": 400,
    b"\x16\x03\x01\x02\0\1\0" * 20: 400,
    HEAD.replace(b"/healthz", b"/player/../../../etc/passwd") + b"\r\n": 404,
    HEAD.replace(b"/healthz", b"/control-room/..%2f..%2f..%2fetc/passwd") + b"\r\n": 404,
    HEAD.replace(b"/healthz", b"/v1/streams/..%2f..%2fx/descriptions.vtt") + b"\r\n": 404,
    HEAD.replace(b"127.0.0.1", b"evil.example") + b"\r\n": 421,
}

BODIES = (
    ("/v1/jobs", DEEP, 400),
    ("/v1/jobs", "x" * LARGE, 400),
    ("/v1/jobs", '{"url": NaN}', 422),
    ("/v1/jobs", '{"url": "file:///etc/passwd"}', 400),
    ("/v1/streams", '{"stream": "a", "url": "http://169.254.169.254/latest"}', 400),
    ("/v1/streams", '{"stream": "../x", "url": "http://example.com/"}', 422),
    ("/v1/tickets", '{"stream": "\\ud800", "scope": "subscribe"}', 422),
)


class Crowd:
    """All who mean ill, before one service."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._socket = "ws" + address.removeprefix("http")
        self._port = int(address.rpartition(":")[2])

    async def attack(self) -> None:
        """All at once, while hundreds have connected and say nothing more."""
        async with AsyncExitStack() as stack:
            for _ in range(HALF_OPEN):
                await stack.enter_async_context(self._opened(b"GET /h"))
            async with asyncio.timeout(120), asyncio.TaskGroup() as tasks:
                for each in self._attacks():
                    tasks.create_task(each)

    def _attacks(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._drip()
        yield self._drip_media()
        yield self.bodies()
        for number, each in enumerate(PUBLISHERS):
            yield self._publish(each, each.name or f"stream-{number}")
        for path in REFUSED_PATHS:
            yield self._refused(path)
        for sent, status in RAW.items():
            yield self._raw(sent, status)
        for sent_by_viewer in (DEEP, b"\0" * 10, '{"type": "missed", "id": "m", "since": NaN}'):
            yield self._watch(sent_by_viewer)

    @asynccontextmanager
    async def _opened(self, sent: bytes) -> AsyncIterator[tuple[StreamReader, StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(sent)
            yield reader, writer
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _publish(self, each: Publisher, name: str) -> None:
        found: dict[str, Any] = {}
        close = 0
        path = f"{self._socket}/v1/streams/{name}/media"
        async with connect(path, proxy=None, compression=None, max_size=None) as socket:
            with suppress(ConnectionClosed):
                for message in each.sent:
                    await socket.send(message)
            try:
                while each.close or not found:
                    told = json.loads(await socket.recv())
                    found = told if told["type"] == "error" else found
            except ConnectionClosed as closed:
                close = closed.rcvd.code if closed.rcvd else -1
        assert (found.get("code", ""), close) == (each.code, each.close), (each, found)
        assert "\n" not in found.get("message", ""), found

    async def _refused(self, path: str) -> None:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(self._socket + path, proxy=None):
                pass
        assert refused.value.response.status_code == 403

    async def _watch(self, sent: str | bytes) -> None:
        """A viewer that is told an error, and keeps watching, or is closed with a code."""
        path = f"{self._socket}/v1/streams/nobody/events"
        code = 1002
        async with connect(path, proxy=None, max_size=None) as socket:
            await socket.send(sent)
            try:
                while json.loads(await socket.recv())["type"] != "error":
                    pass
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else 0
        assert code in (1002, 1003)

    async def _raw(self, sent: bytes, status: int) -> None:
        async with self._opened(sent) as (reader, _):
            answer = await reader.read(20)
        assert answer.startswith(b"HTTP/1.1 %d" % status), (sent[:80], answer)

    async def bodies(self) -> None:
        headers = {"content-type": "application/json"}
        async with httpx.AsyncClient(base_url=self._address, headers=headers, timeout=60) as client:
            for path, body, status in BODIES:
                answer = await client.post(path, content=body)
                assert (answer.status_code, set(answer.json())) == (
                    status,
                    {"code", "message", "retryable"},
                ), (path, body[:80], answer.text)

    async def _drip(self) -> None:
        """A letter a second, and no head that ends: cut off."""
        async with self._opened(HEAD) as (reader, writer):
            with suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(b"X")
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            assert await reader.read(100) == b""

    async def _drip_media(self) -> None:
        """A byte of media a second: a stream like any other, that costs nobody anything."""
        path = f"{self._socket}/v1/streams/slow/media"
        async with connect(path, proxy=None, compression=None) as socket:
            await socket.send(ALONE)
            for byte in b"\x1a\x45\xdf\xa3\x93":
                await socket.send(bytes([byte]))
                await asyncio.sleep(1)


def open_files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def test_a_hostile_crowd_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    settings = tmp_path / "strad.toml"
    settings.write_text("[limits]\nstreams = 60\n[admission]\non = false\n")

    async def go(pid: int, address: str) -> None:
        async with httpx.AsyncClient(base_url=address, timeout=60) as client:
            await Crowd(address).bodies()  # what is opened once stays open
            before = open_files(pid)
            await Crowd(address).attack()
            await until(lambda: open_files(pid) <= before + 4, limit=60.0)
            assert (await client.get("/healthz")).json() == {"status": "ok"}
            ready = await client.get("/readyz")
            assert ready.json() == {"ready": True, "reasons": []}

    with service(tmp_path, "--config", str(settings)) as (process, address):
        asyncio.run(go(process.pid, address))
        process.send_signal(signal.SIGTERM)
        code, _, err = finish(process, 60)
    assert (code, "Traceback" in err) == (0, False), err[-5_000:]
    assert max(map(len, err.splitlines())) < 500, "nobody fills the log"
