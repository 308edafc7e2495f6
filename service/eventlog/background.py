"""Work beside a block: tasks that end with it, and an error that comes out as it was raised."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from strad.errors import cause_of

Start: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]


@asynccontextmanager
async def background() -> AsyncIterator[Start]:
    """Gives what starts a task. A task that fails cancels the block; its end cancels the tasks."""
    started: set[asyncio.Task[None]] = set()
    try:
        async with asyncio.TaskGroup() as tasks:

            def start(work: Coroutine[Any, Any, None]) -> None:
                task = tasks.create_task(work)
                started.add(task)
                task.add_done_callback(started.discard)

            try:
                yield start
            finally:
                for task in started:
                    task.cancel()
    except BaseExceptionGroup as group:
        alone = len(group.exceptions) == 1
        raise (group.exceptions[0] if alone else cause_of(group)) from None
