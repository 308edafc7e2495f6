"""Connections: those that dawdle are closed, and many of them keep nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource

import httpx
import pytest

from service import connections
from service.connections import LEAST, MOST, RESERVE, most_connections
from tests.service.fakes import Workshop
from tests.service.live import live_service

pytestmark = pytest.mark.service

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
UPGRADE = (
    b"GET /v1/streams/news/media HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def drip(port: int, text: bytes) -> bytes:
    """Send ``text``, then a letter again and again, until the service closes; what it answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(text)
    answer = b""
    try:
        async with asyncio.timeout(5.0):
            while not reader.at_eof():
                writer.write(b"X")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        answer += await reader.read(1_000)
    except ConnectionResetError:
        pass
    finally:
        writer.close()
    return answer


@pytest.mark.parametrize("start", [b"", HEAD, UPGRADE])
def test_a_head_that_never_ends_is_cut_off(start: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            assert await drip(live.port, start) == b""

    monkeypatch.setattr(connections, "HEAD_WAIT", 0.3)
    asyncio.run(go())


def test_a_body_that_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            answer = await drip(live.port, HEAD + b"Content-Length: 200000\r\n\r\n")
            assert b'{"status":"ok"}' in answer

    monkeypatch.setattr(connections, "ANSWER_WAIT", 0.3)
    asyncio.run(go())


def test_silent_connections_keep_nobody_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            opened = [await asyncio.open_connection("127.0.0.1", live.port) for _ in range(60)]
            for _, writer in opened:
                writer.write(b"G")
            async with httpx.AsyncClient(trust_env=False) as client:
                for _ in range(3):
                    answer = await client.get(f"http://127.0.0.1:{live.port}/healthz")
                    assert answer.status_code == 200
            assert len(live.server.server_state.connections) <= LEAST
            for _, writer in opened:
                writer.close()

    monkeypatch.setattr(resource, "getrlimit", lambda _: (RESERVE, RESERVE))
    with caplog.at_level(logging.WARNING):
        asyncio.run(go())
    assert not caplog.records


def test_text_that_is_not_utf_8_closes_with_1007_and_no_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def go() -> None:
        async with live_service(Workshop().equipment()) as live:
            reader, writer = await asyncio.open_connection("127.0.0.1", live.port)
            async with asyncio.timeout(5.0):
                writer.write(UPGRADE + b"\r\n")
                assert b"101" in await reader.readuntil(b"\r\n\r\n")
                writer.write(b"\x81\x83\0\0\0\0\xff\xfe{")
                answer = await reader.read()
            writer.close()
            assert b"\x03\xefa text message must be UTF-8" in answer

    with caplog.at_level(logging.WARNING):
        asyncio.run(go())
    assert not caplog.records


@pytest.mark.parametrize(
    ("soft", "most"),
    [(resource.RLIM_INFINITY, MOST), (1_000_000, MOST), (1_024, 1_024 - RESERVE), (100, LEAST)],
)
def test_there_are_only_as_many_as_files_may_be_open(
    soft: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, soft))
    assert most_connections() == most
