"""The resume keeper: what another process needs to go on with a stream, kept in its log in time."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import NoReturn

from service.eventlog.log import StreamLog
from service.resume_state import KEEP_EVERY, ResumeState
from strad.errors import LogError
from streaming.memory import Memory

logger = logging.getLogger(__name__)


class ResumeKeeper:
    """One stream's. What it is told of is kept soon, not more often than every few seconds."""

    def __init__(self, log: StreamLog, state: ResumeState) -> None:
        self._log = log
        self._state = state
        self._news = asyncio.Event()

    def note(self, memory: Memory) -> None:
        """Where the stream stands, all that it has announced being in the log."""
        self._state = replace(self._state, memory=memory, seq=self._log.last)
        self._news.set()

    async def keep(self, *, exact: bool = False) -> None:
        """Now; ``exact``: nothing comes after it. Raises as the log's ``keep``."""
        self._news.clear()
        await self._log.keep(replace(self._state, exact=exact).to_json())

    async def run(self) -> NoReturn:
        """Until cancelled. A log that can't be written is tried again."""
        while True:
            await self._news.wait()
            try:
                await self.keep()
            except LogError as error:
                logger.warning("a stream's resume state was not kept: %s", error)
            await asyncio.sleep(KEEP_EVERY)
