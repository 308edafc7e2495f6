"""Thousands of tickets and hundreds of streams that have ended: the service's memory is bounded."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from clients.python.publisher import publish
from service.security.caller import Scope
from service.security.keys import new_key, write_keys
from strad.wire.publishing import Container, Hello
from tests.service.spelled_service import SpelledService, spelled_service

pytestmark = [pytest.mark.service, pytest.mark.slow]

HELLO = Hello(container=Container.WEBM, delay=3.0)
TICKETS = 2_000
STREAMS = 500
AT_ONCE = 20
REMEMBERED = 32
"""Logs of streams that have ended which are kept, by default."""


def memory(pid: int) -> int:
    """Bytes a process has in memory."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", status)[0])


async def seconds(count: int) -> AsyncIterator[bytes]:
    yield b"q" * count


async def end_streams(service: SpelledService, first: int, count: int, key: str) -> None:
    async def one_by_one(numbers: range) -> None:
        for number in numbers:
            await publish(service.address(f"stream-{number}", key), HELLO, seconds(12))

    async with asyncio.TaskGroup() as tasks:
        for beginning in range(AT_ONCE):
            tasks.create_task(one_by_one(range(first + beginning, first + count, AT_ONCE)))


async def draw_tickets(client: httpx.AsyncClient, count: int) -> set[str]:
    drawn: set[str] = set()

    async def one_by_one(number: int) -> None:
        for _ in range(number):
            answer = await client.post("/v1/tickets", json={"stream": "news", "scope": "subscribe"})
            assert answer.status_code == 201, answer.text
            drawn.add(answer.json()["ticket"])

    async with asyncio.TaskGroup() as tasks:
        for _ in range(10):
            tasks.create_task(one_by_one(count // 10))
    return drawn


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, str]:
    """The file of keys, and a key that may do anything."""
    key, record = new_key([Scope.ADMIN])
    write_keys(tmp_path / "keys.json", [record])
    return tmp_path / "keys.json", key


def test_memory_follows_neither_tickets_nor_streams_that_have_ended(
    tmp_path: Path, keys: tuple[Path, str]
) -> None:
    async def go() -> tuple[list[int], int, int]:
        file, key = keys
        headers = {"Authorization": f"Bearer {key}"}
        async with (
            spelled_service(f"sqlite:{tmp_path / 'log.sqlite'}", str(file)) as service,
            httpx.AsyncClient(base_url=service.url, headers=headers, timeout=60) as client,
        ):
            await end_streams(service, 0, 60, key)
            await draw_tickets(client, 500)
            used = [memory(service.pid)]
            for part in range(4):
                await end_streams(service, 60 + part * 110, 110, key)
                assert len(await draw_tickets(client, TICKETS // 4)) == TICKETS // 4
                used.append(memory(service.pid))
            listed = (await client.get("/v1/streams")).json()["streams"]
            answer = await client.get(f"/v1/streams/stream-{STREAMS - 1}/descriptions.vtt")
            return used, len(listed), answer.status_code

    used, listed, status = asyncio.run(go())
    assert listed == REMEMBERED
    assert status == 200, "the newest is there"
    assert max(used) - used[1] < 0.06 * used[1], used
    assert used[4] - used[0] < 0.15 * used[0], used
