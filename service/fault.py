"""A fault: the first error that somebody found, raised where it is waited for."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from strad.errors import StradError


class Fault:
    """Holds at most one."""

    def __init__(self) -> None:
        self._found: asyncio.Queue[StradError] = asyncio.Queue(1)

    def put(self, error: StradError) -> None:
        """Only the first counts."""
        if self._found.empty():
            self._found.put_nowait(error)

    async def raised(self) -> NoReturn:
        """Wait for it and raise it."""
        raise await self._found.get()
