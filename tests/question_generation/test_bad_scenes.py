"""Scenes that lack something, or have far too much, end in items or drops: never in a crash."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from question_generation.cli.ways import way
from question_generation.crew import LocalCrew
from question_generation.run import Run
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from strad.record import TimedText
from strad_engines.engine_errors import EngineTooLongError
from strad_engines.messages import Generated, Message, Sampling
from strad_engines.opened_engine import OpenedEngine
from tests.question_generation.at_hand import ABLE, said

pytestmark = pytest.mark.unit

LIMIT = 20_000
"""Words of a prompt that the model reads."""


class Confused:
    """Answers everything with JSON of no use; refuses what is too long, as servers do."""

    name = "confused"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        if len(said(messages).split()) > LIMIT:
            raise EngineTooLongError("too long", LIMIT)
        return Generated('{"numbers": [1, 1, -4], "answer": 7}', (), "stop", 10, 10)


def scenes() -> list[Scene]:
    seen = (TimedText(start=1.0, end=2.0, text="She opens the red door and looks at the sea."),) * 5
    words = (TimedText(start=3.0, end=4.0, text="Where were you?"),) * 10
    much = TimedText(start=0.0, end=60.0, text="She runs and he falls. " * 10_000)
    odd = TimedText(start=0.0, end=0.0, text="\u202e\x00 ${scene} $ {} \n```json\n{")
    told: dict[str, dict[str, Any]] = {
        "nothing": {},
        "no dialogue": {"visuals": seen},
        "no visuals": {"dialogue": words},
        "50,000 words": {"visuals": (much,), "dialogue": (*words, much)},
        "blank lines": {"visuals": (TimedText(start=0.0, end=0.0, text="  "),) * 3},
        "odd words": {"visuals": (odd,) * 4, "dialogue": (odd,) * 9},
    }
    return [
        Scene(id=name, video_id=f"film-{name}", segment=(0.0, 60.0), **lines)
        for name, lines in told.items()
    ]


@pytest.mark.parametrize("name", ["cinepile", "jointav"])
def test_every_scene_is_accounted_for(tmp_path: Path, name: str) -> None:
    source = tmp_path / "scenes.jsonl"
    source.write_text("".join(f"{scene.line()}\n" for scene in scenes()))
    pipeline = way(name)

    @asynccontextmanager
    async def opened() -> Any:
        yield OpenedEngine(Confused(), ABLE)

    seat = Seat("confused", opened)
    seats = Seats(dict.fromkeys(pipeline.roles, seat))
    run = Run(tmp_path / "run", pipeline, source, seats.names())

    async def work() -> None:
        async with LocalCrew.ready(seats, None, 4) as crew:
            counts = await run.work(crew)
        assert counts[0].came == len(scenes())
        for one in counts:
            assert one.came == one.went_on + one.dropped.total() + one.failed.total()
            assert not one.failed, one.failed

    asyncio.run(work())
    lost = [
        json.loads(line)
        for path in sorted((tmp_path / "run").glob("*.dropped.jsonl"))
        for line in path.read_text().splitlines()
    ]
    assert lost
    assert all(one["reason"] for one in lost)
