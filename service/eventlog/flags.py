"""Flags as a log keeps them, beside its messages: each with the AD that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from pydantic import ValidationError

from strad.errors import LogError, NotFoundError, OverloadedError
from strad.flag import FlagKind, Note
from strad.wire.message import Name, Part
from strad.wire.viewing import Ad

MOST_FLAGS = 5_000
"""Of one log. An AD goes with each, so that it outlives the messages that are let go."""


class KeptFlag(Part):
    """One viewer's finding on one AD."""

    ad: Ad
    kind: FlagKind
    by: Name
    """Digest of who said it: the same within this log only."""
    note: Note = ""

    @property
    def key(self) -> str:
        """What is kept once."""
        return f"{self.ad.id} {self.kind} {self.by}"

    def to_json(self) -> str:
        return self.model_dump_json(exclude_defaults=True)

    @classmethod
    def parse(cls, json: str) -> Self:
        """What was kept as ``json``. Raises LogError where this version can't read it."""
        try:
            return cls.model_validate_json(json)
        except ValidationError:
            raise LogError("the event log holds a flag that this version can't read") from None


class FlagBook(Protocol):
    """The flags of one log. Any process may write into it, long after the log has ended."""

    async def put(self, flag: KeptFlag) -> bool:
        """Keep a flag, in place of the one with its key; whether there was one. Durable then.

        Raises OverloadedError where ``MOST_FLAGS`` are kept already, NotFoundError where the log is
        no longer kept, LogError.
        """
        ...

    async def all(self) -> Sequence[KeptFlag]:
        """Those that are kept, oldest first where that is known. Raises LogError."""
        ...

    async def count(self) -> int:
        """How many are kept. Raises LogError."""
        ...


class MemoryFlags:
    """Gone with the process, or with its log."""

    def __init__(self) -> None:
        self._flags: dict[str, KeptFlag] = {}

    async def put(self, flag: KeptFlag) -> bool:
        """See ``FlagBook``."""
        again = flag.key in self._flags
        if not again and len(self._flags) >= MOST_FLAGS:
            raise full()
        self._flags[flag.key] = flag
        return again

    async def all(self) -> Sequence[KeptFlag]:
        """See ``FlagBook``."""
        return tuple(self._flags.values())

    async def count(self) -> int:
        """See ``FlagBook``."""
        return len(self._flags)


def full() -> OverloadedError:
    """Why a log takes no more flags."""
    return OverloadedError(f"this stream has {MOST_FLAGS} flags already: no more are kept")


def gone() -> NotFoundError:
    """Why a log that is let go takes no flags."""
    return NotFoundError("the log of this description is no longer kept")
