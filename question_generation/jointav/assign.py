"""Which tasks can be asked about which scenes and videos, by what is seen and heard in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.drop import Drop
from question_generation.jointav.draft import (
    SEEN,
    Assignment,
    Part,
    Programme,
    lines_of,
    part_of,
    told,
)
from question_generation.jointav.gather import sources
from question_generation.jointav.tasks import LEAST_LINES, Task, tasks
from question_generation.scene import Scene
from question_generation.stage import Desk

MOST_CHARACTERS = 120_000
"""Of the material of one question: some 30,000 tokens, the paper's limit."""
LEAST_PARTS: Mapping[str, int] = {"CSA": 3, "MPO": 3, "PTG": 4}
"""Parts without which there is no such question: two for all others over several."""


@dataclass(frozen=True, slots=True)
class Assign:
    """A programme becomes one assignment for each task and scene, or task and video."""

    codes: tuple[str, ...] = ()
    """The tasks wanted; none: all."""
    most_characters: int = MOST_CHARACTERS
    name: str = "assign"
    version: str = "1"
    roles: tuple[str, ...] = field(default=())

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"tasks": list(self.codes), "most_characters": self.most_characters}

    @property
    def reads(self) -> type[Programme]:
        return Programme

    @property
    def writes(self) -> type[Assignment]:
        return Assignment

    async def work(self, record: Programme, desk: Desk) -> Sequence[Assignment] | Drop:
        found = [one for task in self._tasks() for one in _assignments(task, record)]
        if not found:
            return Drop("nothing to ask about", "nothing is seen and heard in it")
        fit = [one for one in found if len(told(one.parts)) <= self.most_characters]
        return fit or Drop("too long to ask about", f"over {self.most_characters} characters")

    def _tasks(self) -> list[Task]:
        return [task for code, task in tasks().items() if not self.codes or code in self.codes]


def _assignments(task: Task, programme: Programme) -> Iterator[Assignment]:
    if task.span == "single":
        for place, scene in enumerate(programme.scenes):
            part = part_of(scene, 1, task.heard)
            if fits(task, (part,)):
                yield _assignment(task, programme, (scene,), (part,), place)
        return
    numbered = enumerate(programme.scenes, start=1)
    parts = tuple(part_of(scene, number, task.heard) for number, scene in numbered)
    if fits(task, parts):
        yield _assignment(task, programme, programme.scenes, parts, 0)


def fits(task: Task, parts: Sequence[Part]) -> bool:
    """Whether there is enough in the parts for a question of this task."""
    if not lines_of(parts, SEEN) or not lines_of(parts, *task.needs):
        return False
    if task.code == "MESI":
        return sum(bool(part.of("music").lines) for part in parts) >= 2
    if task.span != "multi":
        return True
    spoken = len(lines_of(parts, "dialogue"))
    enough = spoken >= LEAST_LINES or "dialogue" not in task.heard
    return enough and len(parts) >= LEAST_PARTS.get(task.code, 2)


def _assignment(
    task: Task, programme: Programme, scenes: Sequence[Scene], parts: tuple[Part, ...], place: int
) -> Assignment:
    first = scenes[0]
    splits = {scene.split for scene in programme.scenes}
    facts = first.facts if task.span == "full" else None
    return Assignment(
        id=f"{programme.id}_task{task.known.number}_{place}",
        video_id=programme.id,
        film_id=first.film_id,
        scene_id=first.id if task.span == "single" else None,
        task=task.code,
        place=place,
        parts=parts,
        clip=first.clip,
        story=facts.plot if facts else None,
        split=splits.pop() if len(splits) == 1 else None,
        provenance=sources(scenes),
    )
