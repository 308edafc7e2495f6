"""One stream's log: a tail that everybody here shares, before a keeper that outlives it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.eventlog.entry import Entry
from service.eventlog.keeper import ApartError, Keeper
from service.eventlog.lease import Lease
from service.eventlog.standing import Standing
from service.eventlog.tail import Tail
from strad.errors import LogError, NotOwnedError
from strad.wire.viewing import Logged

PAGE = 500
"""Messages read at a time to catch up with the keeper."""


class KeptLog:
    """Persist, then announce. The owner's has a lease; those of readers have none."""

    def __init__(self, name: str, tail: Tail, keeper: Keeper, most: int) -> None:
        self.name = name
        self.tail = tail
        self.flags = keeper.flags
        self._keeper = keeper
        self._most = most
        self._lease: Lease | None = None
        self._of: KeptLog | None = None

    def owned_by(self, lease: Lease) -> KeptLog:
        """The same log, to append to. It keeps this one alive, so that all find the same tail."""
        owned = KeptLog(self.name, self.tail, self._keeper, self._most)
        owned._lease, owned._of = lease, self
        return owned

    @property
    def last(self) -> int:
        """Number of the newest message known here; 0 before the first."""
        return self.tail.last

    @property
    def first(self) -> int:
        """Number of the oldest message still kept."""
        return max(1, self.tail.last - self._most + 1)

    @property
    def standing(self) -> Standing:
        """What the messages known here amount to."""
        return self.tail.standing

    async def append(self, make: Callable[[int], Logged]) -> Entry:
        """Keep the message made for the next number, then wake whoever waits for it."""
        async with self.tail.writing:
            tail, keeper, lease = self.tail, self._keeper, self._must_own()
            if self.standing.ended:
                raise NotOwnedError("the stream has ended: nothing is added to its log")
            try:
                return await _persist(tail, keeper, make, lease)
            except ApartError as apart:
                await _meet(tail, keeper, apart.last, lease)
            return await _persist(tail, keeper, make, lease)

    async def read(self, after: int, most: int = 100) -> Sequence[Entry]:
        """Up to ``most`` messages after number ``after``, in order. Those let go are missing."""
        if after + 1 >= self.tail.nearest or self.tail.nearest <= self.first:
            return self.tail.read(after, most)
        return await self._keeper.page(after, most) or self.tail.read(after, most)

    async def wait(self, after: int) -> bool:
        """True once there is a message after number ``after``; False once shut."""
        if self.tail.last > after:
            return True
        with self._keeper.watching():
            return await self.tail.wait(after)

    def shut(self) -> None:
        """Wake all who wait here: this process will read on no more."""
        self.tail.shut()

    async def keep(self, state: str) -> None:
        """Keep the owner's resume state (JSON), in place of an earlier one."""
        await self._keeper.keep(state, self._must_own())

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        return await self._keeper.kept()

    def _must_own(self) -> Lease:
        if self._lease is None:
            raise NotOwnedError("only the process that owns a stream appends to its log")
        self._lease.check()
        return self._lease


async def _persist(
    tail: Tail, keeper: Keeper, make: Callable[[int], Logged], lease: Lease
) -> Entry:
    entry = Entry.of(make(tail.last + 1))
    await keeper.persist(entry, tail.standing.after(entry.message), lease)
    tail.add(entry)
    return entry


async def _meet(tail: Tail, keeper: Keeper, last: int, lease: Lease) -> None:
    """Take in what was kept without our knowing; keep again what the keeper has lost."""
    while tail.last < last and (page := await keeper.page(tail.last, PAGE)):
        for entry in page:
            tail.add(entry)
    if last + 1 < tail.nearest:
        raise LogError(f"the event log has lost what came after message {last}")
    for entry in tail.read(last, tail.last - last):
        await keeper.persist(entry, tail.standing, lease)
