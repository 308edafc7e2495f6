"""The station: everything one process serves, and how it leaves the air."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from service.equipment import Equipment
from service.publication import Publication
from service.settings import Settings
from service.streams import Streams
from strad.errors import PeerGoneError

GOODBYE = 5.0
"""Wall seconds the viewers get to take the end of what they watch."""


class Station:
    """Holds what requests share. Starts nothing by itself."""

    def __init__(self, settings: Settings, equipment: Equipment) -> None:
        self.settings = settings
        self.equipment = equipment
        self.streams = Streams(settings.limits)
        self._publications: set[Publication] = set()
        self._left = asyncio.Event()

    @contextmanager
    def on_air(self, publication: Publication) -> Iterator[None]:
        """The publication is drained when the station leaves the air meanwhile."""
        self._publications.add(publication)
        try:
            yield
        finally:
            self._publications.discard(publication)
            self._left.set()

    async def leave(self) -> None:
        """Refuse whoever comes, drain what is live, tell all viewers. Within limits, once."""
        self.streams.closed = True
        for publication in self._publications:
            publication.drain("shutdown")
        await self._wait_for_publications(self.settings.limits.drain + GOODBYE)
        await self.streams.end_waiting(PeerGoneError("the service is shutting down"))
        await self.streams.wait_for_viewers(GOODBYE)

    async def _wait_for_publications(self, limit: float) -> None:
        try:
            async with asyncio.timeout(limit):
                while self._publications:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            return
