"""Streams without an owner: who ends them, and who comes too late to."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from service.abandoned import end_unfinished
from service.eventlog.log import EventLog, StreamLog
from tests.service.eventlog.kinds import Kind, live, numbers, say

pytestmark = pytest.mark.service


class Overtaken:
    """An event log in which another process begins the stream anew just after anybody looks."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def find(self, stream: str) -> object:
        found = await self._log.find(stream)
        async with self._log.own(stream) as anew:
            await anew.append(live)
        return found

    def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AbstractAsyncContextManager[StreamLog]:
        return self._log.own(stream, resume=resume, take_over=take_over)


def test_who_comes_too_late_to_end_a_stream_leaves_it_be(kind: Kind) -> None:
    async def go() -> None:
        async with kind.open() as log:
            async with log.own("news") as first:
                await say(first, 2)
            await end_unfinished(Overtaken(log), "news", "began anew")  # type: ignore[arg-type]
            newest = await log.find("news")
            assert newest is not None
            assert newest.name != first.name
            assert await numbers(newest) == [1]
            assert not newest.standing.ended

    asyncio.run(go())
