"""The crew: a process's work in the background, in one task group that the server opens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from strad.errors import OverloadedError

logger = logging.getLogger(__name__)


class Crew:
    """Takes work only while ``at_work`` is open, and ends all of it then."""

    def __init__(self) -> None:
        self._group: asyncio.TaskGroup | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: list[Callable[[], object]] = []

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Take work; at the end cancel what still goes on, and wait for it."""
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                try:
                    yield
                finally:
                    self._group = None
                    for task in self._tasks:
                        task.cancel()
        finally:
            for close in self._last:
                close()

    def at_last(self, close: Callable[[], object]) -> None:
        """Call ``close`` when all work has ended."""
        self._last.append(close)

    def start(self, what: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do ``work``. A bug in it ends it and nothing else. Raises OverloadedError when closed."""
        if self._group is None:
            work.close()
            raise OverloadedError("the service takes no work now; try again soon")
        task = self._group.create_task(_apart(what, work), name=what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _apart(what: str, work: Coroutine[Any, Any, None]) -> None:
    try:
        async with asyncio.TaskGroup() as alone:
            alone.create_task(work)
    except BaseExceptionGroup as group:
        logger.exception("%s failed", what, exc_info=group)
