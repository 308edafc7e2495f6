"""Question generation over a real vLLM: each answer is held to its schema, from scenes to items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field

from question_generation.ask import Ask
from question_generation.crew import LocalCrew
from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.prompt import Prompt
from question_generation.run import Run
from question_generation.run_folder import items_of
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from question_generation.stage import WRITER, Desk, Gather, Stage
from strad.questions import QUESTIONS
from strad.record import Record, TimedText
from strad_engines.open_engine import open_engine
from tests.models.real_time import in_real_time
from tests.models.vllm_server import VllmServer, serving

pytestmark = [pytest.mark.models, pytest.mark.slow]

PROMPT = Prompt("tiny.v1", "Write a question.", "$scene", "2" * 64)


class Written(Record):
    """A model of random words can only write this if it is held to it."""

    question: Annotated[str, Field(pattern=r"^What [a-z]{3,12}\?$")]
    right: Annotated[str, Field(pattern=r"^r[a-z]{2,8}$")]
    wrong: Annotated[str, Field(pattern=r"^w[a-z]{2,8}$")]


@dataclass(frozen=True, slots=True)
class Write:
    """A question of each scene."""

    name: str = "write"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    roles: Sequence[str] = (WRITER,)
    reads: type[Scene] = Scene
    writes: type[Item] = Item

    async def work(self, record: Scene, desk: Desk) -> Sequence[Item] | Drop:
        ask = Ask(PROMPT, {"scene": record.visuals[0].text}, Written, max_tokens=120, tries=1)
        answered = await desk.ask(ask)
        if isinstance(answered, Drop):
            return answered
        said = answered.value
        item = Item(
            id=record.id,
            video_id=record.video_id,
            question=said.question,
            answer=said.right,
            options=(said.wrong, said.right),
        )
        return [item.traced(answered.made)]


@dataclass(frozen=True, slots=True)
class OneStep:
    """Only that."""

    name: str = "tiny"
    version: str = "1"
    steps: Sequence[Stage[Any, Any] | Gather[Any, Any]] = (Write(),)
    roles: Mapping[str, str] = field(default_factory=lambda: {WRITER: "writes"})
    prompts: Sequence[str] = ()


def _source(path: Path, count: int) -> Path:
    seen = (TimedText(start=0.0, end=1.0, text="A red square moves to the left."),)
    scenes = (
        Scene(id=f"s{at}", video_id="v", segment=(0.0, 9.0), visuals=seen) for at in range(count)
    )
    path.write_text("".join(f"{scene.line()}\n" for scene in scenes))
    return path


def _all_good(folder: Path, count: int) -> None:
    items = list(items_of(folder / "01-write.jsonl"))
    assert len(items) == count, (folder / "01-write.dropped.jsonl").read_text()
    for item in items:
        (made,) = item.provenance
        assert (made.tries, made.repaired) == (1, ())
        assert (made.completion_tokens or 0) > 0
    lines = [item.question_of().line() for item in items]
    assert len(QUESTIONS.read(lines)[1]) == count


@pytest.fixture(scope="module")
def server(untrained: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VllmServer]:
    """No room for white space: a model of random words would fill its answer with it."""
    log = tmp_path_factory.mktemp("vllm") / "server.log"
    held = '{"backend": "guidance", "disable_any_whitespace": true}'
    with serving(VllmServer(untrained, log, options=["--structured-outputs-config", held])) as one:
        yield one


@in_real_time
async def test_a_served_model_is_held_to_the_schema_to_the_end(
    server: VllmServer, tmp_path: Path
) -> None:
    seats = Seats({WRITER: Seat("base", partial(open_engine, f"openai:{server.url}", "base"))})
    run = Run(tmp_path, OneStep(), _source(tmp_path / "scenes.jsonl", 8), seats.names())
    async with LocalCrew.ready(seats, tmp_path / "answers.sqlite", 4) as crew:
        assert crew.askers[WRITER].opened.abilities.schema
        await run.work(crew)
    _all_good(tmp_path, 8)


@in_real_time
async def test_a_model_in_this_process_is_held_to_it_as_well(
    untrained: Path, tmp_path: Path
) -> None:
    seats = Seats({WRITER: Seat("tiny", partial(open_engine, "transformers", str(untrained)))})
    run = Run(tmp_path, OneStep(), _source(tmp_path / "scenes.jsonl", 2), seats.names())
    async with LocalCrew.ready(seats, None, 1) as crew:
        await run.work(crew)
    _all_good(tmp_path, 2)
