"""The station: everything one process serves, and how it leaves the air."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import NoReturn

from service.crew import Crew
from service.equipment import Equipment
from service.eventlog.log import EventLog
from service.eventlog.memory import MemoryEventLog
from service.eventlog.opening import retention_of
from service.flag_desk import FlagDesk
from service.gauges import Gauges
from service.library import Library
from service.operations.load_watch import LoadWatch
from service.operations.measured_log import MeasuredEventLog
from service.operations.metrics import Metrics
from service.operations.observed import observed
from service.operations.tracing import NoTracer, Tracer
from service.publication import Publication
from service.settings import Settings
from service.streams import Streams
from strad.errors import LogError, PeerGoneError
from strad.wire.viewing import StreamState

logger = logging.getLogger(__name__)

MIND_EVERY = 2.0
"""Wall seconds between two looks at who has lost its publisher."""

GOODBYE = 5.0
"""Wall seconds the viewers get to take the end of what they watch."""


class Station:
    """Holds what requests share. Starts nothing by itself."""

    def __init__(
        self,
        settings: Settings,
        equipment: Equipment,
        log: EventLog | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.tracer = tracer or NoTracer()
        self.equipment = observed(equipment, self.metrics, self.tracer)
        log = log or MemoryEventLog(retention_of(settings.limits))
        self.log = MeasuredEventLog(log, self.metrics, self.tracer)
        self.streams = Streams(settings.limits, self.log)
        self.load = LoadWatch(
            settings.admission,
            streams=lambda: self.streams.live,
            decide=self._strain,
            listened=equipment.listened,
            away=lambda: sum(
                s.state is StreamState.INTERRUPTED for s in self.streams.published.values()
            ),
        )
        self.streams.room = self.load.admit
        self.hands_over = settings.hand_over and log.lasting
        """Whether its streams are left to other processes when it goes away."""
        self.connections: Callable[[], int] = lambda: 0
        """How many there are, where a server knows."""
        self.metrics.registry.register(Gauges(self))
        self.library = Library()
        self.flags = FlagDesk(self.library)
        self.crew = Crew()
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

    @property
    def publications(self) -> Collection[Publication]:
        """Those on air here."""
        return tuple(self._publications)

    def _strain(self) -> float | None:
        """Of the describers of all streams, on average."""
        known = [p.quality.strain for p in self._publications]
        strains = [strain for strain in known if strain is not None]
        return sum(strains) / len(strains) if strains else None

    def publication(self, name: str, log: str) -> Publication | None:
        """The one that describes the stream ``name`` here, where its log is called ``log``."""
        for publication in self._publications:
            stream = publication.stream
            if (stream.name, stream.log.name) == (name, log):
                return publication
        return None

    async def mind(self) -> NoReturn:
        """Look after streams that have lost their publisher, until cancelled."""
        clock = asyncio.get_running_loop().time
        while True:
            try:
                await self.streams.end_abandoned(clock(), self.settings.limits.grace)
            except LogError as error:
                logger.warning("%s", error)
            await asyncio.sleep(MIND_EVERY)

    async def leave(self) -> None:
        """Refuse whoever comes, drain what is live or hand it over, tell all viewers.

        Within limits, once.
        """
        self.streams.closed = True
        for publication in self.publications:
            if publication.handed_over:
                publication.hand_over()
            else:
                publication.drain("shutdown")
        await self._wait_for_publications(self.settings.limits.drain + GOODBYE)
        gone = "the service is shutting down: come back with the last seq you have"
        self.streams.leave(PeerGoneError(gone))
        await self.streams.wait_for_viewers(GOODBYE)

    async def _wait_for_publications(self, limit: float) -> None:
        try:
            async with asyncio.timeout(limit):
                while self._publications:
                    self._left.clear()
                    await self._left.wait()
        except TimeoutError:
            return
