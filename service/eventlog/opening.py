"""Opening: from how an event log is named in the settings to the log itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from service.eventlog.log import EventLog
from service.eventlog.memory import MemoryEventLog
from service.eventlog.retention import Retention
from service.eventlog.sqlite import open_sqlite_log
from service.settings import Limits
from strad.errors import InputError


def retention_of(limits: Limits) -> Retention:
    """How much is kept, as the settings say."""
    return Retention(messages=limits.max_log, logs=limits.remembered)


@asynccontextmanager
async def open_event_log(spec: str, retention: Retention | None = None) -> AsyncIterator[EventLog]:
    """The event log called ``memory:`` or ``sqlite:PATH``. Raises InputError, LogError."""
    kind, _, rest = spec.partition(":")
    match kind:
        case "memory" if not rest:
            yield MemoryEventLog(retention)
        case "sqlite" if rest:
            async with open_sqlite_log(Path(rest), retention) as log:
                yield log
        case _:
            raise InputError(f"no event log {spec!r}: there is memory:, and sqlite:PATH")
