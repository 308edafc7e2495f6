"""Items a second of every stage with an instant engine, and whether memory stays flat.

The wanted: over 500 items a second a stage, and no more memory for ten times the scenes. Of both
ways a first run asks engines that work from the text they are given, and keeps what they say; the
run that is timed gets those answers at once. Items of a stage are those that came or those that it
wrote, whichever are more: a video becomes some sixty assignments. The seconds that count are of
this process's CPU time, all threads together, so that what else the machine does is not counted;
those by the clock stand beside.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from question_generation.cinepile.pipeline import pipeline as cinepile
from question_generation.crew import LocalCrew
from question_generation.jointav.pipeline import pipeline as jointav
from question_generation.outcome import Outcome
from question_generation.run import Run
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from question_generation.stage import Pipeline
from question_generation.step_files import Counts
from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated, Message, Sampling, Text
from strad_engines.opened_engine import OpenedEngine
from tests.question_generation.at_hand import ABLE
from tests.question_generation.cinepile.test_pipeline import scenes as cinepile_scenes
from tests.question_generation.cinepile.writers import models
from tests.question_generation.jointav.film import film
from tests.question_generation.jointav.writer import FilmEngine
from tests.question_generation.plain_pipeline import FromText, PlainPipeline, seats, write_scenes

WANTED, FEW, MANY = 500, 2_000, 20_000
GROWTH_MIB = 40
"""Most that ten times the scenes may add: names of records are held, nothing else."""
FILMS, SCENES = 20, 600
"""Films of seven scenes for JointAVBench's way, scenes for CinePile's."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Items a second."""

    by_cpu: float
    by_clock: float

    def __str__(self) -> str:
        return f"{self.by_cpu:8.0f} a second of CPU {self.by_clock:8.0f} by the clock"


class Timed:
    """A ``Progress`` that times each step."""

    def __init__(self) -> None:
        self.speeds = dict[str, Speed]()
        self._began = time.process_time(), time.perf_counter()

    def begin(self, step: str, total: int) -> None: ...

    def passed(self) -> None: ...

    def outcome(self, outcome: Outcome) -> None: ...

    def step(self, step: str, counts: Counts) -> None:
        items, now = max(counts.came, counts.out), (time.process_time(), time.perf_counter())
        spent = [end - begin for begin, end in zip(self._began, now, strict=True)]
        self.speeds[step] = Speed(*[items / seconds for seconds in spent])
        self._began = now


@dataclass
class Remembering:
    """Says at once what the engine said to the same words before."""

    engine: ChatEngine
    name: str
    said: dict[tuple[str, ...], Generated] = field(default_factory=dict)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        key = tuple([part.text for m in messages for part in m.parts if isinstance(part, Text)])
        said = self.said.get(key)
        if said is None:
            said = await self.engine.generate(messages, sampling, deadline_s=deadline_s)
            self.said[key] = said
        return said


@dataclass(frozen=True, slots=True)
class Apart:
    """Of a run in a process of its own."""

    speeds: dict[str, Speed]
    peak_mib: float


async def measure(count: int) -> Apart:
    """The speed of each step, and the peak of memory."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = write_scenes(folder / "scenes.jsonl", count)
        held, timed = seats(FromText(broken=10)), Timed()
        run = Run(folder / "run", PlainPipeline(), source, held.names())
        async with LocalCrew.ready(held, folder / "answers.sqlite", 16) as crew:
            await run.work(crew, timed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Apart(timed.speeds, peak)


async def measure_way(
    way: Pipeline, scenes: Sequence[Scene], engines: Mapping[str, ChatEngine]
) -> dict[str, Speed]:
    """The speed of each step in the second run."""
    known = {id(engine): Remembering(engine, engine.name) for engine in engines.values()}
    by_role = {role: _seat(known[id(engine)]) for role, engine in engines.items()}
    held, timed = Seats(by_role), Timed()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "scenes.jsonl"
        source.write_text("".join(f"{scene.line()}\n" for scene in scenes))
        for place in ("first", "second"):
            run = Run(folder / place, way, source, held.names())
            async with LocalCrew.ready(held, folder / place / "answers.sqlite", 16) as crew:
                gc.freeze()  # what the engines remember is not the steps' to look through
                timed = Timed()
                await run.work(crew, timed)
    return timed.speeds


def _seat(engine: Remembering) -> Seat:
    @asynccontextmanager
    async def opened() -> AsyncIterator[OpenedEngine]:
        yield OpenedEngine(engine, ABLE)

    return Seat(engine.name, opened)


def of_ways() -> dict[str, Speed]:
    """Of every step of both ways."""
    of_cinepile = cinepile(test_share=0.2)
    roles = models()
    found = asyncio.run(measure_way(of_cinepile, list(cinepile_scenes(SCENES)), roles))
    of_jointav, engine = jointav(), FilmEngine(leaks=10)
    films = [scene for n in range(FILMS) for scene in film(f"film{n}", seed=n)]
    theirs = asyncio.run(measure_way(of_jointav, films, dict.fromkeys(of_jointav.roles, engine)))
    return {
        **{f"cinepile {step}": speed for step, speed in found.items()},
        **{f"jointav {step}": speed for step, speed in theirs.items()},
    }


def apart(count: int) -> Apart:
    """``measure`` in a process of its own: a peak is of a whole process."""
    command = [sys.executable, "-m", "benches.bench_questions", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found = json.loads(done.stdout)
    speeds = {step: Speed(**told) for step, told in found["speeds"].items()}
    return Apart(speeds, found["peak_mib"])


def main() -> int:
    """Print the figures; 1 where one misses what is wanted."""
    few, many = apart(FEW), apart(MANY)
    grown = many.peak_mib - few.peak_mib
    print(f"{FEW:,} and {MANY:,} scenes; memory grew by {grown:.0f} MiB to {many.peak_mib:.0f}")
    speeds = {f"plain {step}": speed for step, speed in many.speeds.items()} | of_ways()
    for step, speed in speeds.items():
        print(f"{step:26} {speed}")
    slow = [step for step, speed in speeds.items() if speed.by_cpu < WANTED]
    if slow:
        print(f"Below {WANTED} a second: {', '.join(slow)}")
    return int(bool(slow) or grown > GROWTH_MIB)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(asdict(asyncio.run(measure(int(sys.argv[1]))))))
    else:
        sys.exit(main())
