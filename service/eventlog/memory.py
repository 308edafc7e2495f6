"""A stream's log in memory: what viewers were told, by number, and waiting for what comes next."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Sequence

from service.eventlog.entry import Entry
from strad.wire.viewing import Logged


class MemoryLog:
    """Keeps the newest ``most`` messages of one stream, in memory.

    There is no queue a viewer: each viewer holds a place in the log and reads on from it, so slow
    viewers cost nothing but a number.
    """

    def __init__(self, most: int) -> None:
        self.name = secrets.token_hex(8)
        """Tells this log from an earlier one of the same stream."""
        self._entries: deque[Entry] = deque(maxlen=most)
        self._last = 0
        self._grown = asyncio.Event()
        self._state: str | None = None

    @property
    def last(self) -> int:
        """Number of the newest message; 0 before the first."""
        return self._last

    @property
    def first(self) -> int:
        """Number of the oldest message still kept; one past ``last`` when none is."""
        return self._entries[0].seq if self._entries else self._last + 1

    async def append(self, make: Callable[[int], Logged]) -> Entry:
        """Keep the message made for the next number, then wake whoever waits for it."""
        self._last += 1
        message = make(self._last)
        entry = Entry(self._last, message, message.to_json())
        self._entries.append(entry)
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
        return entry

    async def read(self, after: int, most: int = 100) -> Sequence[Entry]:
        """Up to ``most`` messages after number ``after``, in order. Those let go are missing."""
        skip = max(0, after + 1 - self.first)
        stop = min(skip + most, len(self._entries))
        return [self._entries[i] for i in range(skip, stop)]

    async def wait(self, after: int) -> None:
        """Return once there is a message after number ``after``."""
        while self._last <= after:
            await self._grown.wait()

    async def keep(self, state: str) -> None:
        """Keep the owner's resume state, in place of an earlier one."""
        self._state = state

    async def kept(self) -> str | None:
        """The newest resume state."""
        return self._state
