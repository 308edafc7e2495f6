"""A whole run of JointAVBench's pipeline, one engine in all roles, and whether counts add up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from question_generation.crew import LocalCrew
from question_generation.item import ITEMS, Item
from question_generation.jointav.pipeline import MEDIA_ROLES, ROLES, JointAv, pipeline
from question_generation.run import Run
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from question_generation.stage import Pipeline
from question_generation.step_files import Counts
from strad.record import Record
from strad_engines.engine import ChatEngine
from strad_engines.opened_engine import OpenedEngine
from tests.question_generation.at_hand import ABLE


@dataclass(frozen=True, slots=True)
class Ran:
    counts: dict[str, Counts]
    items: list[Item]


def ran(
    folder: Path, engine: ChatEngine, scenes: Sequence[Scene], way: JointAv | None = None
) -> Ran:
    """A run from these scenes to items."""
    counts, last = run_of(folder, engine, scenes, way or pipeline())
    with last.open() as lines:
        return Ran(counts, list(ITEMS.each(lines)))


def run_of(
    folder: Path, engine: ChatEngine, records: Sequence[Record], way: Pipeline
) -> tuple[dict[str, Counts], Path]:
    """A run of any steps: the counts of each, and the file of what comes out of the last."""
    source = folder / "source.jsonl"
    source.write_text("".join(f"{record.line()}\n" for record in records))

    @asynccontextmanager
    async def opened() -> AsyncIterator[OpenedEngine]:
        yield OpenedEngine(engine, ABLE)

    seats = Seats(dict.fromkeys((*ROLES, *MEDIA_ROLES), Seat(engine.name, opened)))
    run = Run(folder / "run", way, source, seats.names())

    async def work() -> list[Counts]:
        async with LocalCrew.ready(seats, None, 4) as crew:
            return await run.work(crew)

    counts, files = asyncio.run(work()), run.files()
    named = dict(zip((file.name for file in files), counts, strict=True))
    return named, files[-1].records


def adds_up(counts: dict[str, Counts]) -> Iterator[str]:
    """The steps at which something was lost."""
    before: Counts | None = None
    for name, one in counts.items():
        if one.came != one.went_on + one.dropped.total() + one.failed.total() or one.failed:
            yield name
        if before is not None and one.came != before.out:
            yield f"into {name}"
        before = one
