"""What still stands of a log, and what has been let go."""

from __future__ import annotations

import asyncio

import pytest

from service.eventlog.memory import MemoryEventLog
from service.eventlog.retention import Retention
from service.library import MOST, Library
from service.told import Told
from strad.wire.viewing import Ad, End, Withdraw
from tests.service.ads import ad

pytestmark = pytest.mark.unit


def test_withdrawn_ad_is_gone_and_the_rest_lies_by_start() -> None:
    async def go() -> None:
        async with MemoryEventLog().own("news") as log:
            told = Told(log)
            await log.append(lambda seq: ad(seq, 10, 12))
            await log.append(lambda seq: ad(seq, 4, 6))
            await told.catch_up()
            assert [a.start for a in told.ads()] == [4, 10]
            await log.append(lambda seq: Withdraw(seq=seq, id="ad-1", at=1, reason="x", edge=21))
            await told.catch_up()
            assert [a.start for a in told.ads()] == [4]
            assert [(taken.ad.id, taken.edge) for taken in told.taken_back()] == [("ad-1", 21_000)]
            assert (told.place, told.edge, told.ended, told.lost_to) == (3, 20_000, False, 0)
            await log.append(lambda seq: End(seq=seq))
            await told.catch_up()
            assert told.ended

    asyncio.run(go())


@pytest.mark.parametrize("reads", [1, 10])
def test_what_the_log_lets_go_is_gone_and_said_to_be(reads: int) -> None:
    async def go() -> None:
        async with MemoryEventLog(Retention(messages=3)).own("news") as log:
            told = Told(log)
            for n in range(10):

                def make(seq: int, start: int = 10 * n) -> Ad:
                    return ad(seq, start, start + 2, edge=start + 5)

                await log.append(make)
                if n % reads == 0:
                    await told.catch_up()
            await told.catch_up()
            assert [a.start for a in told.ads()] == [70, 80, 90]
            assert 62_000 <= told.lost_to <= 75_000

    asyncio.run(go())


def test_a_library_reads_each_log_once_and_keeps_a_few() -> None:
    async def go() -> None:
        logs, library = MemoryEventLog(), Library()
        async with logs.own("news") as log:
            await log.append(lambda seq: ad(seq, 1, 2))
            first = await library.told(log)
            assert await library.told(log) is first
            for n in range(MOST):
                async with logs.own(f"other-{n}") as other:
                    await library.told(other)
            assert await library.told(log) is not first

    asyncio.run(go())
