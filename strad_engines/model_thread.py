"""One thread that owns a model: what is asked of it is done there, one after another, in order.

PyTorch models are not for several threads, and an event loop must not wait for one.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from strad_engines.engine_errors import EngineError, EngineSlowError

T = TypeVar("T")
Stopped = Callable[[], bool]
"""Whether nobody waits any more for what the thread does."""


class ModelThread:
    """Use as an async context manager. Leaving it waits for what is being done, told to stop."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._pool: ThreadPoolExecutor | None = None
        self._closing = threading.Event()

    async def __aenter__(self) -> ModelThread:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=self._name)
        return self

    async def __aexit__(self, *_: object) -> None:
        pool, self._pool = self._pool, None
        self._closing.set()
        if pool is not None:
            await asyncio.get_running_loop().run_in_executor(None, pool.shutdown)

    async def do(self, work: Callable[[Stopped], T], *, deadline_s: float | None = None) -> T:
        """What ``work`` returns; it is told when it should stop.

        After ``deadline_s`` seconds, or when this is cancelled, it is not waited for.
        Raises EngineSlowError, and what ``work`` raises.
        """
        if self._pool is None:
            raise EngineError("the engine is not open: use it in an async with block")
        gone = threading.Event()

        def stopped() -> bool:
            return gone.is_set() or self._closing.is_set()

        done = self._pool.submit(work, stopped)
        try:
            async with asyncio.timeout(deadline_s):
                return await asyncio.wrap_future(done)
        except TimeoutError:
            raise EngineSlowError(f"{self._name}: no answer in {deadline_s:g} s") from None
        finally:
            gone.set()
