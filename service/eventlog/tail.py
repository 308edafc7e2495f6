"""A log's tail: its newest messages in this process, shared by all who read them here."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from service.eventlog.entry import Entry
from service.eventlog.standing import Standing


class Tail:
    """There is no queue a viewer: each holds a place in the log and reads on from it.

    The ``near`` newest messages are held; older ones are for the keeper to find.
    """

    def __init__(self, near: int) -> None:
        self.most = near
        self._near: deque[Entry] = deque(maxlen=near)
        self._grown = asyncio.Event()
        self._shut = False
        self.last = 0
        self.standing = Standing()
        self.writing = asyncio.Lock()
        """Held by whoever gives out the next number."""

    def load(self, last: int, standing: Standing, newest: Iterable[Entry]) -> None:
        """Begin where the keeper stands, with the newest messages it has."""
        self._near.clear()
        self._near.extend(entry for entry in newest if entry.seq <= last)
        self.last, self.standing = last, standing

    def add(self, entry: Entry) -> None:
        """Take the next message in and wake who waits. One that is known already is passed over."""
        if entry.seq <= self.last:
            return
        if entry.seq > self.last + 1:
            self._near.clear()
        self._near.append(entry)
        self.last = entry.seq
        self.standing = self.standing.after(entry.message)
        self._wake()

    @property
    def nearest(self) -> int:
        """Number of the oldest message held; one past ``last`` where none is."""
        return self._near[0].seq if self._near else self.last + 1

    def read(self, after: int, most: int) -> Sequence[Entry]:
        """Up to ``most`` of the held messages after number ``after``."""
        skip = max(0, after + 1 - self.nearest)
        stop = min(skip + most, len(self._near))
        return [self._near[i] for i in range(skip, stop)]

    async def wait(self, after: int) -> bool:
        """Whether there is a message after ``after``, once there is; False once shut."""
        while self.last <= after and not self._shut:
            await self._grown.wait()
        return self.last > after

    def shut(self) -> None:
        """Let nobody wait here any more."""
        self._shut = True
        self._wake()

    def _wake(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
