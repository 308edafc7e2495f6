"""A stage for pages: the real service, a programme spelled out, a describer with a script."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from service.equipment import Equipment
from strad.decision import Decision, Describe, Kind, Wait, WaitReason
from strad.timeline import Interval
from streaming.window import Window
from tests.fakes import EveryWindowDescriber
from tests.service.fakes import Workshop

LINES = (
    "A man opens a red door.",
    "Rain runs down the window of an empty cafe.",
    "A sign reads: closed on Mondays.",
    "Two children run across the wet square and laugh, hand in hand, towards the old fountain.",
    "Anna looks up from her letter.",
)
KINDS = (Kind.ACTION, Kind.SCENE, Kind.TEXT, Kind.ACTION, Kind.NAME)


class StageDescriber(EveryWindowDescriber):
    """Says a line at every second window, a long one among them; else it waits."""

    async def decide(self, window: Window) -> Decision:
        self.asked.append(window)
        await asyncio.sleep(self._seconds)
        number = len(self.asked)
        if number % 2:
            return Wait(WaitReason.NOTHING_NEW if number % 4 == 1 else WaitReason.UNSURE)
        which = number // 2 % len(LINES)
        start = max(window.when.start, window.when.end - 2_000)
        text = f"{LINES[which]} Take {number // 2}."
        return Describe((text,), Interval(start, window.when.end), kind=KINDS[which])


def staged(seconds: float = 0.0) -> Equipment:
    """Equipment whose describer thinks for ``seconds``."""
    return Workshop(lambda: StageDescriber(seconds)).equipment()


async def played(letters: str, speed: float, begin: Sequence[str] = ()) -> AsyncIterator[bytes]:
    """``letters``, ``speed`` of them a second; what is in ``begin`` at once before them."""
    for letter in begin:
        yield letter.encode()
    for letter in letters:
        yield letter.encode()
        await asyncio.sleep(1 / speed)
