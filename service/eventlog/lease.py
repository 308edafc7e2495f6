"""A lease: the right to append to one stream's log, until it is given back or lost."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from strad.errors import NotOwnedError, cause_of


class Lease:
    """One owner's. Once lost it is never had again."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.token = secrets.token_hex(8)
        """Tells this owner from all others."""
        self._lost = asyncio.Event()

    @property
    def held(self) -> bool:
        return not self._lost.is_set()

    def lose(self) -> None:
        """Another owner has it now, or nobody."""
        self._lost.set()

    def check(self) -> None:
        """Raises NotOwnedError once it is lost."""
        if not self.held:
            raise NotOwnedError(f"another publisher has taken stream {self.stream} over")

    @asynccontextmanager
    async def minded(self) -> AsyncIterator[None]:
        """A block that is cancelled when the lease is lost; then raises NotOwnedError."""
        try:
            async with asyncio.TaskGroup() as tasks:
                minding = tasks.create_task(self._mind())
                try:
                    yield
                finally:
                    minding.cancel()
        except BaseExceptionGroup as group:
            alone = len(group.exceptions) == 1
            raise (group.exceptions[0] if alone else cause_of(group)) from None

    async def _mind(self) -> NoReturn:
        await self._lost.wait()
        self.check()
        raise AssertionError("a lost lease is not held")


class Leases:
    """Who owns what within this process."""

    def __init__(self) -> None:
        self._held: dict[str, Lease] = {}

    def holds(self, stream: str) -> bool:
        return stream in self._held

    def take(self, stream: str) -> Lease:
        """A new lease; whoever had one has lost it."""
        if (earlier := self._held.get(stream)) is not None:
            earlier.lose()
        self._held[stream] = lease = Lease(stream)
        return lease

    def give_back(self, lease: Lease) -> None:
        lease.lose()
        if self._held.get(lease.stream) is lease:
            del self._held[lease.stream]
