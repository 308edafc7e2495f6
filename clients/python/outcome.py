"""The outcome of work: what it raised, as a value, for whoever has more to do before it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from strad.errors import cause_of


async def outcome(work: Coroutine[Any, Any, object]) -> BaseException | None:
    """What ``work`` raised; None where it came to its end. Its cancellation is not caught."""
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(work)
    except BaseExceptionGroup as group:
        return alone(group)
    return None


def alone(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first of our own errors, or the only one that there is; else the group itself."""
    error = cause_of(group)
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
