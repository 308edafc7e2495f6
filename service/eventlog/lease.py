"""A lease: the right to append to one stream's log, until it is given back or lost."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from service.eventlog.background import background
from strad.errors import NotOwnedError, TakenError


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
    async def minded(self, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """A block, with ``work`` beside it, that is cancelled when the lease is lost.

        Raises NotOwnedError then.
        """
        async with background() as start:
            for each in (self._mind(), *work):
                start(each)
            yield

    async def _mind(self) -> None:
        await self._lost.wait()
        self.check()


class Leases:
    """Who owns what within this process."""

    def __init__(self) -> None:
        self._held: dict[str, Lease] = {}

    def holds(self, stream: str) -> bool:
        return stream in self._held

    def put(self, lease: Lease) -> None:
        """The stream's lease from now on; whoever had one has lost it."""
        if (earlier := self._held.get(lease.stream)) is not None:
            earlier.lose()
        self._held[lease.stream] = lease

    def give_back(self, lease: Lease) -> None:
        lease.lose()
        if self._held.get(lease.stream) is lease:
            del self._held[lease.stream]


def taken(stream: str) -> TakenError:
    """Why ``stream`` can't be published anew now."""
    return TakenError(
        f"stream {stream} is already being published; if that publisher is gone without a word, "
        "its name is free again when its grace time is over: try again later"
    )
