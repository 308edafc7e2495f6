"""The crew: work in the background that ends with the server and fails by itself."""

from __future__ import annotations

import asyncio

import pytest

from service.crew import Crew
from strad.errors import OverloadedError

pytestmark = pytest.mark.unit


def test_work_is_ended_with_the_crew_and_refused_before_and_after() -> None:
    async def go() -> None:
        crew, ended = Crew(), asyncio.Event()

        async def work() -> None:
            try:
                await asyncio.sleep(3_600)
            finally:
                ended.set()

        with pytest.raises(OverloadedError):
            crew.start("work", work())
        async with crew.at_work():
            crew.start("work", work())
            await asyncio.sleep(0)
        assert ended.is_set()
        with pytest.raises(OverloadedError):
            crew.start("work", work())

    asyncio.run(go())


def test_a_bug_in_one_ends_that_one_only(caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        crew, done = Crew(), asyncio.Event()

        async def bad() -> None:
            raise ZeroDivisionError("a bug")

        async def good() -> None:
            done.set()

        async with crew.at_work():
            crew.start("the bad one", bad())
            await asyncio.sleep(0.01)
            crew.start("the good one", good())
            async with asyncio.timeout(20):
                await done.wait()

    asyncio.run(go())
    assert "the bad one failed" in caplog.text
    assert "a bug" in caplog.text
