"""What keeps one log's messages: the part of an event log that differs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from service.eventlog.entry import Entry
from service.eventlog.flags import FlagBook
from service.eventlog.lease import Lease
from service.eventlog.standing import Standing
from strad.errors import LogError


class ApartError(LogError):
    """The keeper's newest number, ``last``, is not the one this process took it for."""

    def __init__(self, last: int) -> None:
        super().__init__(f"the event log stands at message {last}, unlike its owner")
        self.last = last


class Keeper(Protocol):
    """Keeps the messages of one log."""

    @property
    def flags(self) -> FlagBook:
        """What viewers found wrong with its AD."""
        ...

    async def persist(self, entry: Entry, standing: Standing, lease: Lease) -> None:
        """Return once the entry is durable. The same entry twice is kept once.

        Raises ApartError, NotOwnedError, LogError.
        """
        ...

    async def page(self, after: int, most: int) -> Sequence[Entry]:
        """Up to ``most`` kept messages after number ``after``, in order."""
        ...

    def watching(self) -> AbstractContextManager[None]:
        """While this is open, what other processes append comes to the tail by itself."""
        ...

    async def keep(self, state: str, lease: Lease) -> None:
        """Keep the owner's resume state in place of an earlier one."""
        ...

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        ...
