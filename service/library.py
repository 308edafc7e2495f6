"""The library: what is told on each stream, read once for all who ask."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from service.eventlog.log import StreamLog
from service.resume_state import AHEAD, ResumeState
from service.stream import Stream
from service.told import Told
from strad.errors import UnknownLogError
from strad.timeline import Ms

MOST = 32
"""Logs that are kept read; the one that was asked for longest ago is let go."""

LOOK_EVERY = 1.0
"""Wall seconds between two looks at where the process that describes a stream stands."""


class Shelf:
    """One log's place in the library."""

    def __init__(self, log: StreamLog) -> None:
        self.told = Told(log)
        self._kept: ResumeState | None = None
        self._edge: Ms = 0
        self._promised: Ms = 0
        self._look_at = 0.0

    async def reached(self) -> Ms:
        """The live edge as its owner last kept it, as far as ``told`` knows all it had said."""
        now = asyncio.get_running_loop().time()
        if now >= self._look_at and not (self.told.ended and self._kept):
            self._look_at = now + LOOK_EVERY
            self._kept = _state(await self.told.log.kept()) or self._kept
        if self._kept is not None and self._kept.seq <= self.told.place:
            self._edge = max(self._edge, self._kept.memory.reached.live_edge)
        return self._edge

    async def promised(self, stream: Stream, *, lasting: bool) -> Ms:
        """The live edge that HLS goes by, which never steps back: see ``Library.promised``."""
        edge = await self.reached()
        here = max(stream.asides.edge(), stream.asides.promised)
        most = self._kept.promised if self._kept is not None else AHEAD
        if here:
            edge = max(edge, min(here, most)) if lasting else here
        elif not stream.owned and not self.told.complete:
            edge = max(edge, most)
        self._promised = max(self._promised, edge)
        return self._promised


class Library:
    """One process's."""

    def __init__(self) -> None:
        self._shelves: OrderedDict[str, Shelf] = OrderedDict()

    async def told(self, log: StreamLog) -> Told:
        """What the log holds by now. Raises LogError."""
        told = self._shelf(log).told
        await told.catch_up()
        return told

    async def reached(self, log: StreamLog) -> Ms:
        """The live edge of a stream that any process describes; it may be some seconds behind.

        All AD announced by then is in what ``told`` gives afterwards. Raises LogError.
        """
        shelf = self._shelf(log)
        await shelf.told.catch_up()
        return await shelf.reached()

    async def promised(self, stream: Stream, *, lasting: bool) -> Ms:
        """The live edge to list HLS by. ``lasting``: the log outlives its process.

        It goes a little beyond what the log keeps, and whoever goes on with the stream, should this
        process die, speaks nothing that it rules out: what is listed stays. Raises LogError.
        """
        shelf = self._shelf(stream.log)
        await shelf.told.catch_up()
        return await shelf.promised(stream, lasting=lasting)

    def _shelf(self, log: StreamLog) -> Shelf:
        shelf = self._shelves.get(log.name) or Shelf(log)
        self._shelves[log.name] = shelf
        self._shelves.move_to_end(log.name)
        while len(self._shelves) > MOST:
            self._shelves.popitem(last=False)
        return shelf


def _state(kept: str | None) -> ResumeState | None:
    """What is kept, where it can be read here."""
    if kept is None:
        return None
    try:
        return ResumeState.parse(kept)
    except UnknownLogError:
        return None
