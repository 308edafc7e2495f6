"""A process that appends for ever and prints each number once announced; made to be killed."""

from __future__ import annotations

import asyncio
import sys

from service.eventlog import redis
from service.eventlog.opening import open_event_log
from tests.service.eventlog.kinds import said


async def write(spec: str) -> None:
    async with open_event_log(spec) as logs:
        earlier = await logs.find("news")
        resume = earlier.name if earlier is not None else None
        async with logs.own("news", resume=resume, take_over=True) as log:
            while True:
                entry = await log.append(said)
                sys.stdout.write(f"{entry.seq}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    redis.LEASE = float(sys.argv[2])
    asyncio.run(write(sys.argv[1]))
