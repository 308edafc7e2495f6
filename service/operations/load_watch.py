"""The load watch: what this process can still take, measured every second while it serves."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import NamedTuple, NoReturn

from service.operations.admission import Burden, Doorkeeper, Resource, Shortage
from service.operations.procfs import Usage, cores, memory_used, usage
from service.settings import Admission
from strad.errors import OverloadedError

EVERY = 1.0
"""Wall seconds between two looks."""

SAMPLES = 11
"""How many are held: figures are means over ten seconds."""

LEAST_TIME = 5.0
"""Wall seconds of measurement before anything is judged by it."""

SETTLES_IN = 10.0
"""Wall seconds after which a stream's cost is in the measurement."""

MEASURED_IN = 5.0
"""Wall seconds after which a refusal by measured load is worth another try: half of what the
figures are means over."""

LEAST_WAIT = 0.5
"""Wall seconds that whoever is refused is told to wait at least."""


class Sample(NamedTuple):
    """One look."""

    at: float
    late: float
    """How late this look was, in wall seconds."""
    usage: Usage | None
    listened: float
    """Seconds that the threads which transcribe have worked so far, over their number."""


class LoadWatch:
    """One process's. ``run`` measures; without it everything fits but too many at once."""

    def __init__(
        self,
        settings: Admission,
        *,
        streams: Callable[[], int],
        decide: Callable[[], float | None],
        listened: Callable[[], float],
        away: Callable[[], int] = lambda: 0,
    ) -> None:
        """``streams``: live ones. ``decide``: mean load of their describers.

        ``away``: how many of the streams wait for their publisher.
        """
        self._settings = settings
        self._streams = streams
        self._decide = decide
        self._listened = listened
        self._away = away
        self._samples: deque[Sample] = deque(maxlen=SAMPLES)
        self._begun: deque[float] = deque(maxlen=1_000)
        self._cores = cores()
        self._doorkeeper = Doorkeeper(limits_of(settings, self._cores))
        self._memory: float | None = None
        self.shortages: tuple[Shortage, ...] = ()
        """What was missing for a stream more at the last look."""

    async def run(self) -> NoReturn:
        """Measure, until cancelled."""
        clock = asyncio.get_running_loop().time
        due = clock()
        while True:
            self._samples.append(
                Sample(clock(), max(0.0, clock() - due), usage(), self._listened())
            )
            self._memory = memory_used()
            self._look(clock())
            due = clock() + EVERY
            await asyncio.sleep(EVERY)

    def admit(self) -> None:
        """One stream more. Raises OverloadedError with what is short."""
        now = asyncio.get_running_loop().time()
        if self._settings.on and (short := self._look(now)):
            what = "; ".join(str(shortage) for shortage in short)
            raise OverloadedError(
                f"no room for another stream: {what}; try again later",
                retry_after=self._until_settled(now) if _settling(short) else MEASURED_IN,
            )
        self._begun.append(now)

    @property
    def waiting(self) -> int:
        """How many streams wait for their publisher, who has room when it comes back."""
        return self._away()

    @property
    def used(self) -> Mapping[Resource, float]:
        """What is measured by now."""
        decide = self._decide()
        known = {
            Resource.CPU: self._cpu(),
            Resource.LISTENING: self._rate([s.listened for s in self._samples]),
            Resource.DECIDE: decide,
            Resource.LOOP: self._lateness(),
            Resource.MEMORY: self._memory,
        }
        return {resource: value for resource, value in known.items() if value is not None}

    @property
    def children(self) -> int:
        """How many child processes live: decoders."""
        newest = self._samples[-1].usage if self._samples else None
        return newest.children if newest else 0

    def _until_settled(self, now: float) -> float:
        """Wall seconds until what the oldest of those that only just began costs is known."""
        waits = [SETTLES_IN - (now - begun) for begun in self._begun if now - begun < SETTLES_IN]
        return max(LEAST_WAIT, min(waits, default=LEAST_WAIT))

    def _look(self, now: float) -> tuple[Shortage, ...]:
        streams = self._streams()
        settling = sum(now - begun < SETTLES_IN for begun in self._begun)
        burden = Burden(streams, min(streams, settling), self.used, min(streams, self.waiting))
        self.shortages = self._doorkeeper.look(burden)
        return self.shortages

    def _cpu(self) -> float | None:
        seconds = [sample.usage.cpu for sample in self._samples if sample.usage is not None]
        rate = self._rate(seconds)
        return None if rate is None else rate / self._cores

    def _lateness(self) -> float | None:
        if self._span() < LEAST_TIME:
            return None
        return sum(sample.late for sample in self._samples) / len(self._samples)

    def _rate(self, seconds: list[float]) -> float | None:
        """Of what grows: by how much a wall second; None while too little is known."""
        if self._span() < LEAST_TIME or len(seconds) < len(self._samples):
            return None
        return max(0.0, seconds[-1] - seconds[0]) / self._span()

    def _span(self) -> float:
        return self._samples[-1].at - self._samples[0].at if self._samples else 0.0


def limits_of(settings: Admission, cores: float) -> Mapping[Resource, float]:
    """By resource, as the settings say; how many may begin unmeasured depends on ``cores``."""
    return {
        Resource.CPU: settings.cpu,
        Resource.LISTENING: settings.listening,
        Resource.DECIDE: settings.decide,
        Resource.LOOP: settings.loop,
        Resource.MEMORY: settings.memory,
        Resource.SETTLING: settings.settling or max(8.0, 4 * cores),
    }


def _settling(short: tuple[Shortage, ...]) -> bool:
    """Whether there would be room, if only it were known what the newest streams cost."""
    return all(shortage.resource is Resource.SETTLING for shortage in short)
