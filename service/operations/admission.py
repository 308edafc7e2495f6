"""Admission: whether one more stream fits, by what those there are cost. Pure.

What adds up (processor, listening) is projected: a stream more costs what a stream costs now, and
those that began only just are not in the measurement yet. What doesn't add up (the describer's
load, the event loop, memory) is looked at as it is. A resource that ran short counts as short until
it is well below its limit again, so that the answer doesn't flap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Resource(StrEnum):
    """What can run short."""

    CPU = "cpu"
    """Processor time of the process and its children, of the cores it may use."""
    LISTENING = "listening"
    """Time of the threads that transcribe."""
    DECIDE = "decide"
    """The describers' answers: seconds over stride, mean of all streams."""
    LOOP = "loop"
    """How late the event loop turns, in seconds."""
    MEMORY = "memory"
    """Of what the machine or the container has."""
    SETTLING = "settling"
    """Streams that began only just: what they cost isn't known yet."""


ADDS_UP = frozenset({Resource.CPU, Resource.LISTENING})

RELEASE = 0.85
"""What ran short must fall below this much of its limit."""


@dataclass(frozen=True, slots=True)
class Burden:
    """What is measured. A value that isn't known yet is missing."""

    streams: int
    """Live ones, those that settle among them."""
    settling: int
    """How many of them began so short ago that ``used`` doesn't hold them."""
    used: Mapping[Resource, float]
    away: int = 0
    """How many of them wait for their publisher: room for what they will cost again is kept."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """One resource of which a stream more would take too much."""

    resource: Resource
    value: float
    """As it would be, or as it is where it doesn't add up."""
    limit: float

    def __str__(self) -> str:
        return f"{self.resource} at {self.value:.2f} of {self.limit:.2f}"


class Doorkeeper:
    """Remembers what was short."""

    def __init__(self, limits: Mapping[Resource, float]) -> None:
        self._limits = limits
        self._short: frozenset[Resource] = frozenset()

    def look(self, burden: Burden) -> tuple[Shortage, ...]:
        """What is missing for one stream more; nothing: it fits. One stream always does."""
        found = tuple(self._shortages(burden)) if burden.streams else ()
        self._short = frozenset(shortage.resource for shortage in found)
        return found

    def _shortages(self, burden: Burden) -> Iterator[Shortage]:
        expected = with_one_more(burden)
        for resource, limit in self._limits.items():
            if resource not in expected:
                continue
            allowed = limit * RELEASE if resource in self._short else limit
            if expected[resource] > allowed:
                yield Shortage(resource, expected[resource], limit)


def with_one_more(burden: Burden) -> Mapping[Resource, float]:
    """What would be used if a stream more were let in.

    Where all are new, what is measured is taken for all they cost: ``SETTLING`` bounds the error.
    """
    uncounted = burden.settling + burden.away
    if uncounted >= burden.streams:
        uncounted = burden.away if burden.away < burden.streams else 0
    measured = max(1, burden.streams - uncounted)
    expected = {
        resource: value + (value / measured * (uncounted + 1) if resource in ADDS_UP else 0.0)
        for resource, value in burden.used.items()
    }
    return expected | {Resource.SETTLING: burden.settling + 1.0}
