"""Items a second of each kind of stage with an instant engine, and whether memory stays flat.

The wanted: over 500 items a second a stage, and no more memory for ten times the scenes.
"""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from question_generation.crew import LocalCrew
from question_generation.outcome import Outcome
from question_generation.run import Run
from question_generation.step_files import Counts
from tests.question_generation.plain_pipeline import FromText, PlainPipeline, seats, write_scenes

WANTED, FEW, MANY = 500, 2_000, 20_000
GROWTH_MIB = 40
"""Most that ten times the scenes may add: names of records are held, nothing else."""


class Timed:
    """A ``Progress`` that times each step."""

    def __init__(self) -> None:
        self.began, self.rates = time.perf_counter(), dict[str, float]()

    def begin(self, step: str, total: int) -> None: ...

    def passed(self) -> None: ...

    def outcome(self, outcome: Outcome) -> None: ...

    def step(self, step: str, counts: Counts) -> None:
        now = time.perf_counter()
        self.rates[step] = counts.came / (now - self.began)
        self.began = now


async def measure(count: int) -> dict[str, float]:
    """Items a second by step, and the peak of memory in MiB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = write_scenes(folder / "scenes.jsonl", count)
        held, timed = seats(FromText(broken=10)), Timed()
        run = Run(folder / "run", PlainPipeline(), source, held.names())
        async with LocalCrew.ready(held, folder / "answers.sqlite", 16) as crew:
            await run.work(crew, timed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {**timed.rates, "peak MiB": peak}


def apart(count: int) -> dict[str, float]:
    """In a process of its own: a peak is of a whole process."""
    command = [sys.executable, "-m", "benches.bench_questions", str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> int:
    """Print the figures; 1 where one misses what is wanted."""
    few, many = apart(FEW), apart(MANY)
    for step, rate in many.items():
        print(f"{step:10} {few[step]:10.0f} {rate:10.0f}" + ("" if "MiB" in step else " a second"))
    slow = [step for step, rate in many.items() if "MiB" not in step and rate < WANTED]
    grown = many["peak MiB"] - few["peak MiB"]
    print(f"{FEW:,} and {MANY:,} scenes; memory grew by {grown:.0f} MiB")
    return int(bool(slow) or grown > GROWTH_MIB)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(asyncio.run(measure(int(sys.argv[1])))))
    else:
        sys.exit(main())
