"""The same stages as Ray Data pipelines: records in Parquet, actors that open the models, outcomes.

Ray schedules, spreads and restarts; the journal, the order and the counts stay the run's own. On
several machines the folder of the run must be one that all of them see.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from question_generation.asking import Asker
from question_generation.crew import LocalCrew, Take
from question_generation.outcome import Job, Outcome
from question_generation.seats import Seats
from question_generation.stage import Stage
from strad.errors import MissingModelError

A_FILE, A_BATCH = 1024, 64
"""Records of one Parquet file, and of what an actor works on at a time."""
A_SHARE = 0.25
"""Of a core for each actor, which mostly waits: with whole ones none would be left to read."""


def require_ray() -> None:
    """Raise MissingModelError where it is not installed: to ask before the work."""
    if find_spec("ray") is None:
        raise MissingModelError("--ray needs Ray: pip install 'strad[ray]'")


@dataclass(slots=True)
class RayCrew:
    """A ``Crew``. Uses the cluster that RAY_ADDRESS names, else starts Ray on this machine."""

    seats: Seats
    cache: Path
    actors: int = 2
    at_once: int = 8
    """Records in all actors together."""

    async def work(
        self, stage: Stage[Any, Any], jobs: Iterator[Job], seed: int, take: Take
    ) -> None:
        """See ``Crew``; outcomes are taken on another thread. Raises what ``require_ray`` does."""
        require_ray()
        await asyncio.to_thread(self._work, stage, jobs, seed, take)

    def _work(self, stage: Stage[Any, Any], jobs: Iterator[Job], seed: int, take: Take) -> None:
        self.cache.parent.mkdir(parents=True, exist_ok=True)
        waiting = Path(tempfile.mkdtemp(prefix="jobs-", dir=self.cache.parent))
        try:
            if _write(jobs, waiting):
                self._stream(stage, waiting, seed, take)
        finally:
            shutil.rmtree(waiting, ignore_errors=True)

    def _stream(self, stage: Stage[Any, Any], waiting: Path, seed: int, take: Take) -> None:
        import ray

        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        if not ray.is_initialized():
            ray.init(include_dashboard=False, log_to_driver=False)
        ray.data.DataContext.get_current().enable_progress_bars = False
        worked = ray.data.read_parquet(str(waiting)).map_batches(
            Actor,
            fn_constructor_args=(stage, self.seats, self.cache, seed, self.actors, self.at_once),
            batch_size=A_BATCH,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(size=self.actors),
            num_cpus=A_SHARE,
        )
        for row in worked.iter_rows():
            if not take(_read(row["outcome"])):
                return


@dataclass(slots=True)
class Actor:
    """One process with the models of its own, opened with its first batch."""

    stage: Stage[Any, Any]
    seats: Seats
    cache: Path
    seed: int
    actors: int
    at_once: int
    _runner: asyncio.Runner = field(default_factory=asyncio.Runner)
    _askers: Mapping[str, Asker] | None = None
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    def __call__(self, batch: Any) -> dict[str, list[str]]:  # noqa: ANN401 - a table of Arrow's
        """What became of each record of a batch."""
        jobs = [Job(**row) for row in batch.to_pylist()]
        found = self._runner.run(self._work(jobs))
        return {"outcome": [json.dumps(asdict(outcome)) for outcome in found]}

    async def _work(self, jobs: list[Job]) -> list[Outcome]:
        if self._askers is None:
            opened = self.seats.opened(self.cache, self.actors)
            self._askers = await self._stack.enter_async_context(opened)
        found: list[Outcome] = []

        def take(outcome: Outcome) -> bool:
            found.append(outcome)
            return True

        crew = LocalCrew(self._askers, max(1, self.at_once // self.actors))
        await crew.work(self.stage, iter(jobs), self.seed, take)
        return found


def _write(jobs: Iterator[Job], folder: Path) -> int:
    """The jobs as Parquet files; how many files."""
    import pyarrow
    from pyarrow import parquet

    files = 0
    while listed := [asdict(job) for job in islice(jobs, A_FILE)]:
        parquet.write_table(pyarrow.Table.from_pylist(listed), folder / f"{files:06d}.parquet")
        files += 1
    return files


def _read(told: str) -> Outcome:
    found = json.loads(told)
    return Outcome(**{**found, "lines": tuple(found["lines"])})
