"""What every event log does, whatever keeps it: memory, SQLite, Redis.

A stream's log is append-only and numbered from 1. One process at a time owns it and appends; any
process may read it. An append returns when the entry is as durable as its keeper makes it, and only
then may anybody be told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from service.eventlog.entry import Entry
from strad.wire.viewing import Logged


class StreamLog(Protocol):
    """The log of one programme under one name."""

    @property
    def name(self) -> str:
        """Tells this log from an earlier one of the same stream."""
        ...

    @property
    def last(self) -> int:
        """Number of the newest message known here; 0 before the first."""
        ...

    @property
    def first(self) -> int:
        """Number of the oldest message still kept; one past ``last`` when none is."""
        ...

    async def append(self, make: Callable[[int], Logged]) -> Entry:
        """Keep the message made for the next number, then wake whoever waits for it.

        Raises NotOwnedError where another process has taken the stream over, LogError where it
        can't be kept.
        """
        ...

    async def read(self, after: int, most: int = 100) -> Sequence[Entry]:
        """Up to ``most`` messages after number ``after``, in order. Those let go are missing."""
        ...

    async def wait(self, after: int) -> None:
        """Return once there is a message after number ``after``."""
        ...

    async def keep(self, state: str) -> None:
        """Keep the owner's resume state (JSON), in place of an earlier one. Raises as append."""
        ...

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        ...


class EventLog(Protocol):
    """All streams' logs."""

    async def find(self, stream: str) -> StreamLog | None:
        """The newest log of ``stream``, to read; None where it was never published."""
        ...

    def own(
        self, stream: str, *, resume: str | None = None
    ) -> AbstractAsyncContextManager[StreamLog]:
        """The log of ``stream``, owned by this process for as long as the context is open.

        A new log; or the one called ``resume``, where it is still the newest. Raises InputError
        where another process owns the stream, UnknownLogError where ``resume`` is not to be had.
        """
        ...

    async def streams(self) -> Sequence[str]:
        """The streams that have a log."""
        ...
