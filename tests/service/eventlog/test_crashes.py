"""Real processes, killed in the middle of appending: what was announced is there, once."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from pathlib import Path

import pytest

from service.eventlog.opening import open_event_log
from strad.errors import TakenError
from tests.service.eventlog.kinds import Kind, numbers, say
from tests.service.redis_server import RedisServer

pytestmark = [pytest.mark.service, pytest.mark.slow]

LEASE = 2.0
"""Seconds, in the processes of these tests."""

ROOT = Path(__file__).parents[3]
KILLS = 6


def write_and_kill(spec: str, count: int) -> list[int]:
    """Numbers a writer announced before kill -9, which comes while it appends the next."""
    words = [sys.executable, "-m", "tests.service.eventlog.writer", spec, str(LEASE)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = [int(writer.stdout.readline()) for _ in range(count)]
        writer.kill()
        return first + [int(line) for line in writer.stdout if line.endswith("\n")]


def test_kill_9_of_the_writer_loses_and_doubles_nothing(kind: Kind) -> None:
    if not kind.lasts:
        pytest.skip("memory goes with its process")
    chance = random.Random(5)
    spec = kind.spec
    announced: list[int] = []
    for _ in range(KILLS):
        announced += write_and_kill(spec, chance.randrange(1, 120))

    async def go() -> list[int]:
        async with open_event_log(spec) as logs:
            log = await logs.find("news")
            assert log is not None
            return await numbers(log)

    kept = asyncio.run(go())
    assert kept == list(range(1, len(kept) + 1)), "each once, in order"
    assert set(announced) <= set(kept), "announced is persisted"
    assert sorted(announced) == announced
    assert len(announced) == len(set(announced)), "no number is given twice"
    assert len(kept) - len(announced) <= KILLS, "at most what was in the making when it was killed"


def test_another_replica_goes_on_at_once_where_the_publisher_comes_back(
    redis_server: RedisServer,
) -> None:
    redis_server.empty()
    announced = write_and_kill(redis_server.address, 20)

    async def go() -> list[int]:
        async with open_event_log(redis_server.address) as logs:
            log = await logs.find("news")
            assert log is not None
            assert await logs.owned("news"), "the lease outlives its owner for a while"
            async with logs.own("news", resume=log.name, take_over=True) as again:
                await say(again, 1)
                return await numbers(again)

    kept = asyncio.run(go())
    assert kept == list(range(1, kept[-1] + 1))
    assert kept[-1] > announced[-1]


def test_a_lease_runs_out_after_kill_9_of_its_owner(redis_server: RedisServer) -> None:
    redis_server.empty()
    write_and_kill(redis_server.address, 20)

    async def go() -> float:
        clock = asyncio.get_running_loop().time
        async with open_event_log(redis_server.address) as logs, asyncio.timeout(3 * LEASE):
            log = await logs.find("news")
            assert log is not None
            killed = clock()
            with pytest.raises(TakenError):
                await logs.own("news", resume=log.name).__aenter__()
            while await logs.owned("news"):  # noqa: ASYNC110 - Redis's own clock ends it
                await asyncio.sleep(0.1)
            async with logs.own("news", resume=log.name) as again:
                await say(again, 1)
            return clock() - killed

    assert asyncio.run(go()) < LEASE + 1.0
