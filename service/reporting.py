"""Reporting: how a stream gets on, told to its publisher twice a second where it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

from service.attendance import Attendance
from service.broadcast import Broadcast
from service.falling_behind import FallingBehind
from service.media_watch import MediaWatch

REPORT_EVERY = 0.5
"""Wall seconds between two looks at the progress."""

REPORT_AT_LEAST = 10.0
"""Wall seconds after which progress is told even though nothing moved."""


async def report(
    broadcast: Broadcast, attendance: Attendance, looked: Callable[[], Awaitable[None]]
) -> NoReturn:
    """Until cancelled; ``looked`` is awaited after every look. Raises where no media comes."""
    clock = asyncio.get_running_loop().time
    behind, media = FallingBehind(clock()), MediaWatch(clock())
    reported, due = broadcast.progress(None), 0.0
    while True:
        progress = broadcast.progress(attendance.sent)
        if progress != reported or clock() >= due:
            reported, due = progress, clock() + REPORT_AT_LEAST
            attendance.tell(progress)
        for warning in behind.look(progress, clock()):
            await broadcast.warn(warning)
        media.look(broadcast.feed.live_edge, clock(), excused=attendance.excused)
        await looked()
        await asyncio.sleep(REPORT_EVERY)
