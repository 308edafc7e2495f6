"""A small pipeline over scenes that builds questions from the text it is given, and its engines."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from question_generation.ask import Ask
from question_generation.crew import LocalCrew
from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.options import answer_at, options_fault, plain
from question_generation.outcome import Outcome
from question_generation.progress import Silent
from question_generation.prompt import Prompt
from question_generation.run import Run
from question_generation.scene import Scene
from question_generation.seats import Seat, Seats
from question_generation.stage import WRITER, Desk, Fate, Gather, Stage
from question_generation.step_files import Counts
from strad.record import Record, TimedText
from strad_engines.abilities import Abilities
from strad_engines.engine_errors import EngineBusyError
from strad_engines.messages import Generated, Message, Sampling, Text
from strad_engines.opened_engine import Opened, OpenedEngine

PROMPT = Prompt("plain.v1", "Write a question.", "SCENE $scene", "1" * 64)
ABLE = Abilities(
    video=None, images=None, audio=None, regex=False, log_probabilities=None, schema=False
)


class Written(Record):
    """A question with three options."""

    question: str
    options: tuple[str, ...]
    answer: str


def fault(written: Written) -> str:
    options = [plain(option) for option in written.options]
    return options_fault(options, 3) or answer_at(written.answer, options)[1]


@dataclass(frozen=True, slots=True)
class Write:
    """A question of each described moment, two at most."""

    name: str = "write"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    roles: Sequence[str] = (WRITER,)
    reads: type[Scene] = Scene
    writes: type[Item] = Item

    async def work(self, record: Scene, desk: Desk) -> Sequence[Item] | Drop:
        if not record.visuals:
            return Drop("nothing is described")
        found = []
        for at, line in enumerate(record.visuals[:2]):
            ask = Ask(PROMPT, {"scene": line.text}, Written, fault)
            answered = await desk.ask(ask)
            if isinstance(answered, Drop):
                return answered
            said = answered.value
            options = tuple(plain(option) for option in said.options)
            index, _ = answer_at(said.answer, options)
            assert index is not None
            item = Item(
                id=f"{record.id}-{at}",
                video_id=record.video_id,
                film_id=record.film,
                scene_id=record.id,
                question=said.question,
                answer=options[index],
                options=tuple(desk.random(f"shuffle {at}").sample(options, 3)),
            )
            found.append(item.traced(answered.made))
        return found


@dataclass(frozen=True, slots=True)
class Check:
    """Drops one in seven, by chance of its own."""

    name: str = "check"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    roles: Sequence[str] = ()
    reads: type[Item] = Item
    writes: type[Item] = Item

    async def work(self, record: Item, desk: Desk) -> Sequence[Item] | Drop:
        await asyncio.sleep(0)
        return Drop("unlucky", record.id) if desk.random().random() < 1 / 7 else [record]


@dataclass(frozen=True, slots=True)
class Split:
    """Every third film is for the test."""

    name: str = "split"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    reads: type[Item] = Item
    writes: type[Item] = Item

    def gather(self, records: Iterable[Item], *, seed: int) -> Iterator[Fate[Item]]:
        films = sorted({record.film for record in records})
        test = set(films[::3])
        for record in records:
            split = "test" if record.film in test else "train"
            yield Fate((record.id,), record.model_copy(update={"split": split}))


@dataclass(frozen=True, slots=True)
class PlainPipeline:
    """Written, checked, split."""

    name: str = "plain"
    version: str = "1"
    prompts: tuple[str, ...] = ()
    steps: Sequence[Stage[Any, Any] | Gather[Any, Any]] = (Write(), Check(), Split())
    roles: Mapping[str, str] = field(default_factory=lambda: {WRITER: "writes"})


def scenes(count: int) -> Iterator[Scene]:
    """Some with nothing to see, some with nothing said; four to a film."""
    for at in range(count):
        lines = () if at % 10 == 9 else range(1 + at % 2)
        yield Scene(
            id=f"s{at}",
            video_id=f"v{at}",
            film_id=f"f{at // 4}",
            segment=(0.0, 60.0),
            visuals=tuple(
                TimedText(start=float(n), end=n + 1.0, text=f"Scene {at}: she opens door {n}.")
                for n in lines
            ),
        )


def write_scenes(path: Path, count: int) -> Path:
    """As a file."""
    path.write_text("".join(f"{scene.line()}\n" for scene in scenes(count)))
    return path


@dataclass(slots=True)
class FromText:
    """Asks after the words of the scene; of what it is asked, ``broken`` in a hundred goes wrong.

    Which ones hangs on the words asked with, so that the same fault comes each time.
    """

    broken: int = 0
    busy: int = 0
    """In a hundred: the server can't be had."""
    pause: bool = False
    name: str = "from text"
    asked: int = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        if self.pause:
            await asyncio.sleep(0)
        self.asked += 1
        words = "\n".join(p.text for m in messages for p in m.parts if isinstance(p, Text))
        draw = int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big")
        if draw % 100 < self.busy:
            raise EngineBusyError("try later")
        good = _question(words)
        told = json.dumps(good)
        if draw // 100 % 100 < self.broken:
            told = _broken(good, draw // 10_000)
        return Generated(told, (), "stop", len(words) // 4, len(told) // 4)


def _question(words: str) -> dict[str, Any]:
    scene = words.rsplit("SCENE ", 1)[-1].split("\n", 1)[0]
    return {
        "question": f"What happens in the moment of which it is said: {scene}",
        "options": [scene, f"not {scene}", "Nothing happens at all."],
        "answer": "A",
    }


def _broken(good: dict[str, Any], draw: int) -> str:
    text = json.dumps(good)
    faults = [
        "",
        text[: len(text) // 2],
        "I would rather not say.",
        json.dumps({**good, "options": [good["options"][0]] * 3}),
        json.dumps({**good, "answer": "A and B"}),
        json.dumps({**good, "answer": "Something else entirely"}),
        f"Of course!\n```json\n{text}\n```",
        json.dumps({**good, "question": "¿Qué hace la mujer con la puerta en la escena?"}),
        text.replace("]", ",]"),
    ]
    return faults[draw % len(faults)]


def seats(engine: FromText) -> Seats:
    """Its seat as the writer."""
    return Seats({WRITER: Seat(engine.name, lambda: opened_in_place(engine))})


def opened_in_place(engine: FromText) -> Opened:
    """It, for a run; also in another process."""
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def open_() -> Any:
        yield OpenedEngine(engine, ABLE)

    return open_()


class Dying(Silent):
    """Dies after so many outcomes, as kill -9 would: without a word, in the middle."""

    def __init__(self, after: int) -> None:
        self.left = after

    def outcome(self, outcome: Outcome) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed


class Killed(BaseException):
    """Nothing catches it."""


async def made(
    folder: Path, source: Path, engine: FromText, after: int | None = None, **changed: Any
) -> list[Counts]:
    """One run, or what there is of it."""
    held = seats(engine)
    run = Run(folder, PlainPipeline(), source, held.names(), **changed)
    async with LocalCrew.ready(held, folder / "answers.sqlite", 4) as crew:
        return await run.work(crew, None if after is None else Dying(after))


def files(folder: Path) -> dict[str, bytes]:
    """What a run leaves that must be the same each time."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.suffix in (".json", ".jsonl", ".journal")
    }
