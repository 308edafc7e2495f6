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
from service.eventlog.flags import FlagBook
from service.eventlog.standing import Listed, Standing
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
        """Number of the oldest message still kept; at least 1."""
        ...

    @property
    def standing(self) -> Standing:
        """What the messages known here amount to: the state, the error, whether it has ended."""
        ...

    @property
    def flags(self) -> FlagBook:
        """What viewers found wrong with its AD; kept as long as the log is."""
        ...

    async def append(self, make: Callable[[int], Logged]) -> Entry:
        """Keep the message made for the next number, then wake whoever waits for it.

        ``make`` may be called again, for another number. Raises NotOwnedError where this process
        does not own the log, or another has taken it over; LogError where it can't be kept.
        """
        ...

    async def read(self, after: int, most: int = 100) -> Sequence[Entry]:
        """Up to ``most`` messages after number ``after``, in order. Those let go are missing.

        Empty where none is known here, and where all that were have been let go. Raises LogError.
        """
        ...

    async def wait(self, after: int) -> bool:
        """True once there is a message after number ``after``; False once the log was shut."""
        ...

    def shut(self) -> None:
        """Wake all who wait here: this process reads on no more, whatever others append."""
        ...

    async def keep(self, state: str) -> None:
        """Keep the owner's resume state (JSON), in place of an earlier one. Raises as append."""
        ...

    async def kept(self) -> str | None:
        """The newest resume state, or None."""
        ...


class EventLog(Protocol):
    """All streams' logs."""

    @property
    def lasting(self) -> bool:
        """Whether it outlives this process, so that another can go on with what is in it."""
        ...

    async def find(self, stream: str) -> StreamLog | None:
        """The newest log of ``stream``, to read; None where it was never published."""
        ...

    async def expect(self, stream: str) -> StreamLog:
        """As ``find``; where there is none, the log to come, by its name, still empty."""
        ...

    def own(
        self, stream: str, *, resume: str | None = None, take_over: bool = False
    ) -> AbstractAsyncContextManager[StreamLog]:
        """The log of ``stream``, owned by this process for as long as the context is open.

        A new log; or the one called ``resume``, where it is still the newest and has not ended.
        Raises TakenError where somebody owns the stream, here or elsewhere; with ``take_over`` they
        lose it instead: their append raises NotOwnedError and their block is cancelled and raises
        it too. Raises UnknownLogError where ``resume`` is not to be had.
        """
        ...

    async def owned(self, stream: str) -> bool:
        """Whether some process owns the stream's log now."""
        ...

    async def try_out(self) -> None:
        """Write some kilobytes that nobody reads. Raises LogError where nothing can be kept."""
        ...

    async def listed(self) -> Sequence[Listed]:
        """Every stream that has a log, with where it stands, oldest log first."""
        ...
