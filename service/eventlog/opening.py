"""Opening: from how an event log is named in the settings to the log itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from service.eventlog.log import EventLog
from service.eventlog.memory import MemoryEventLog
from service.eventlog.retention import Retention
from service.eventlog.sqlite import open_sqlite_log
from service.settings import Limits
from strad.errors import InputError, MissingModelError

if TYPE_CHECKING:
    from service.eventlog.redis import RedisEventLog


def retention_of(limits: Limits) -> Retention:
    """How much is kept, as the settings say."""
    return Retention(messages=limits.max_log, logs=limits.remembered)


@asynccontextmanager
async def open_event_log(spec: str, retention: Retention | None = None) -> AsyncIterator[EventLog]:
    """The event log called ``memory:``, ``sqlite:PATH`` or ``redis://HOST:PORT/DB``.

    Raises InputError, LogError, MissingModelError.
    """
    kind, _, rest = spec.partition(":")
    match kind:
        case "memory" if not rest:
            yield MemoryEventLog(retention)
        case "sqlite" if rest:
            async with open_sqlite_log(Path(rest), retention) as log:
                yield log
        case "redis" | "rediss":
            async with _open_redis(spec, retention) as log:
                yield log
        case _:
            raise InputError(
                f"no event log of kind {kind!r}: there is memory:, sqlite:PATH and redis://HOST:PORT/DB"
            )


def _open_redis(
    address: str, retention: Retention | None
) -> AbstractAsyncContextManager[RedisEventLog]:
    try:
        from service.eventlog.redis import open_redis_log
    except ModuleNotFoundError:
        raise MissingModelError("an event log in Redis needs: pip install 'strad[redis]'") from None
    return open_redis_log(address, retention)
