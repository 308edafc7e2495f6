"""Whether the event log can be written: by how writing it went, and by trying where it failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from strad.errors import LogError

TRY_EVERY = 1.0
"""Wall seconds between two tries, however often somebody asks."""


class WriteWatch:
    """Costs nothing as long as all is well, and needs no stream to find out that it is again.

    Who is told that nothing can be kept sends no publisher, so that nobody would write.
    """

    def __init__(self, try_out: Callable[[], Awaitable[None]]) -> None:
        self._try_out = try_out
        self._trouble: str | None = None
        self._tried = float("-inf")
        self._trying = asyncio.Lock()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Something is written in here; where it raises LogError, it could not be."""
        try:
            yield
        except LogError as error:
            self._trouble = str(error)
            self._tried = asyncio.get_running_loop().time()
            raise

    async def trouble(self) -> str | None:
        """Why nothing can be kept now, or None. Takes as long as a write that fails."""
        async with self._trying:
            clock = asyncio.get_running_loop().time
            if self._trouble is not None and clock() - self._tried >= TRY_EVERY:
                try:
                    with self.writing():
                        await self._try_out()
                    self._trouble = None
                except LogError:
                    pass  # it is noted
            return self._trouble
