"""Live pace: bytes go out about as fast as the media in them plays, whatever their rate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from clients.python.pace import LivePace
from strad.wire.answering import Progress
from tests.virtual_time import run

pytestmark = pytest.mark.unit


async def play(length: float, rate: float, needs: int) -> tuple[float, float]:
    """Send ``length`` seconds of ``rate`` bytes each to a decoder that needs ``needs`` bytes.

    Returns how long it took, and the most the decoder was ahead of the clock after the first
    five seconds.
    """
    clock = asyncio.get_running_loop().time
    pace = LivePace()
    sent, worst = 0, 0.0

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(int(length * rate) // 65_536 + 1):
            yield bytes(65_536)

    async def decoder() -> None:
        while True:
            await asyncio.sleep(0.5)
            edge = max(0.0, (sent - needs) / rate)
            pace.hear(Progress(live_edge=edge, cursor=0.0, behind=0.0))

    async with asyncio.TaskGroup() as tasks:
        decoding = tasks.create_task(decoder())
        async for piece in pace.at_play_speed(chunks()):
            sent += len(piece)
            if clock() > 5:
                worst = max(worst, (sent - needs) / rate - clock())
        decoding.cancel()
    return clock(), worst


@pytest.mark.parametrize("rate", [20_000, 150_000, 1_000_000])
@pytest.mark.parametrize("needs", [0, 150_000])
def test_a_minute_takes_a_minute(rate: int, needs: int) -> None:
    took, ahead = run(play(60.0, rate, needs))
    held_back = (needs + 65_536) / rate
    assert 60 - 6 - held_back < took < 60 + 3 + 2 * held_back
    assert ahead < 6
