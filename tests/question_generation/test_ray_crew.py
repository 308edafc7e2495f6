"""Ray Data works the same stages to the same files."""

from __future__ import annotations

import asyncio
import warnings
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from question_generation.ray_crew import RayCrew
from question_generation.run import Run
from question_generation.seats import Seat, Seats
from question_generation.stage import WRITER
from tests.question_generation.plain_pipeline import (
    FromText,
    PlainPipeline,
    files,
    made,
    opened_in_place,
    write_scenes,
)

pytestmark = [
    pytest.mark.service,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="no Ray: pip install 'strad[ray]'"),
    pytest.mark.filterwarnings("default"),  # Ray's own processes and sockets
]


def test_a_local_ray_gives_what_this_process_gives(tmp_path: Path) -> None:
    source = write_scenes(tmp_path / "scenes.jsonl", 1500)
    engine = FromText(broken=10)
    asyncio.run(made(tmp_path / "here", source, engine))
    seats = Seats({WRITER: Seat(engine.name, partial(opened_in_place, FromText(broken=10)))})
    run = Run(tmp_path / "ray", PlainPipeline(), source, seats.names())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ray

        try:
            crew = RayCrew(seats, tmp_path / "ray" / "answers.sqlite", actors=2)
            counts = asyncio.run(run.work(crew))
        finally:
            ray.shutdown()
    assert counts[1].came == 1500
    assert counts[1].dropped
    assert files(tmp_path / "ray") == files(tmp_path / "here")
