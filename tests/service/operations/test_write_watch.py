"""What failed to be written is tried again until it works, and not too often."""

from __future__ import annotations

import asyncio

import pytest

from service.operations.write_watch import TRY_EVERY, WriteWatch
from strad.errors import LogError
from tests.virtual_time import run

pytestmark = pytest.mark.unit


class Disk:
    """Full, until it isn't."""

    def __init__(self) -> None:
        self.full = True
        self.tries = 0

    async def write(self) -> None:
        self.tries += 1
        if self.full:
            raise LogError("database or disk is full")


def test_trouble_lasts_until_something_can_be_written() -> None:
    async def go() -> None:
        disk = Disk()
        watch = WriteWatch(disk.write)
        assert await watch.trouble() is None
        assert disk.tries == 0, "nothing is tried as long as all is well"
        with pytest.raises(LogError), watch.writing():
            await disk.write()
        for _ in range(50):
            assert await watch.trouble() == "database or disk is full"
            await asyncio.sleep(TRY_EVERY / 10)
        assert disk.tries <= 6
        disk.full = False
        await asyncio.sleep(TRY_EVERY)
        assert await watch.trouble() is None
        tries = disk.tries
        assert await watch.trouble() is None
        assert disk.tries == tries

    run(go())
