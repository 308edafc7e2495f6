"""Who works on a stage's records: so many at once, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from question_generation.asking import Asker
from question_generation.outcome import Job, Outcome, outcome_of
from question_generation.seats import Seats
from question_generation.stage import Stage
from strad.errors import cause_of

Take: TypeAlias = Callable[[Outcome], bool]
"""Keeps an outcome; False: enough, take no more jobs."""


class Crew(Protocol):
    """Works on jobs in any order, and hands each outcome over as it comes."""

    async def work(
        self, stage: Stage[Any, Any], jobs: Iterator[Job], seed: int, take: Take
    ) -> None: ...


@dataclass(slots=True)
class LocalCrew:
    """Tasks in this process. What they hold is what they are at: memory does not grow."""

    askers: Mapping[str, Asker]
    at_once: int = 8
    _stopped: bool = field(default=False, init=False)

    @classmethod
    @asynccontextmanager
    async def ready(
        cls, seats: Seats, cache: Path | None, at_once: int = 8
    ) -> AsyncIterator[LocalCrew]:
        """With its models opened."""
        async with seats.opened(cache) as askers:
            yield cls(askers, at_once)

    async def work(
        self, stage: Stage[Any, Any], jobs: Iterator[Job], seed: int, take: Take
    ) -> None:
        """See ``Crew``."""
        self._stopped = False
        name = stage_name(stage)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.at_once):
                    group.create_task(self._one(stage, name, jobs, seed, take))
        except BaseExceptionGroup as group_error:
            raise cause_of(group_error) from None

    async def _one(
        self, stage: Stage[Any, Any], name: str, jobs: Iterator[Job], seed: int, take: Take
    ) -> None:
        for job in jobs:
            outcome = await outcome_of(stage, name, job, seed, self.askers)
            self._stopped = not take(outcome) or self._stopped
            if self._stopped:
                return
            await asyncio.sleep(0)  # a stage that waits for nothing must not keep the others out


def stage_name(stage: Stage[Any, Any]) -> str:
    """Name and version, as provenance has them."""
    return f"{stage.name} {stage.version}"
