"""The library: what is told on each stream, read once for all who ask."""

from __future__ import annotations

from collections import OrderedDict

from service.eventlog.log import StreamLog
from service.told import Told

MOST = 32
"""Logs that are kept read; the one that was asked for longest ago is let go."""


class Library:
    """One process's."""

    def __init__(self) -> None:
        self._told: OrderedDict[str, Told] = OrderedDict()

    async def told(self, log: StreamLog) -> Told:
        """What the log holds by now. Raises LogError."""
        told = self._told.get(log.name) or Told(log)
        self._told[log.name] = told
        self._told.move_to_end(log.name)
        while len(self._told) > MOST:
            self._told.popitem(last=False)
        await told.catch_up()
        return told
