"""What models show of a question: whether it gives itself away, needs the picture, is hard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.cinepile.drafted import Drafted
from question_generation.cinepile.exam import Exam, Sat
from question_generation.cinepile.scene_text import scene_text
from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.stage import Desk

ANSWER = "cinepile-answer.v1"
BLIND = ("blind-1", "blind-2", "blind-3")
LISTENER, READER = "listener", "reader"
DEGENERATE = "degenerate"
NO_CONTEXT = "You are given nothing of the scene."
"""What those are told who get the question and its options alone."""


@dataclass(frozen=True, slots=True)
class Degeneracy:
    """Several models are given the question and its options alone.

    Where all of them know the answer, the question is flagged ``degenerate``. The paper asks each
    of three models once; with fewer models, ask each over rotations (``Exam.rotations``).
    """

    exam: Exam = field(default_factory=lambda: Exam(ANSWER, rotations=1, least=1))
    roles: Sequence[str] = BLIND
    name: str = "degeneracy"
    version: str = "1"
    reads: type[Drafted] = Drafted
    writes: type[Drafted] = Drafted

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self.exam.settings, "roles": list(self.roles)}

    async def work(self, record: Drafted, desk: Desk) -> Sequence[Drafted] | Drop:
        """The question with the rates, flagged where it gives itself away."""
        sat = {role: await self.exam.sit(record, NO_CONTEXT, desk, role) for role in self.roles}
        item = record.item.measured({role: one.rate for role, one in sat.items()})
        if all(self.exam.passed(one.rate) for one in sat.values()):
            item = item.flagged(DEGENERATE)
        return [_with(record, item, *sat.values())]


@dataclass(frozen=True, slots=True)
class VisionReliance:
    """A model is given the dialogue alone: where it does not know the answer, seeing is needed.

    The paper asks once, so that one question in five that needs the picture is guessed; ours asks
    over rotations.
    """

    exam: Exam = field(default_factory=lambda: Exam(ANSWER))
    name: str = "vision-reliance"
    version: str = "1"
    roles: Sequence[str] = (LISTENER,)
    reads: type[Drafted] = Drafted
    writes: type[Drafted] = Drafted

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.exam.settings

    async def work(self, record: Drafted, desk: Desk) -> Sequence[Drafted] | Drop:
        """The question with ``visual_reliance``."""
        dialogue = scene_text(record.scene, "dialogue")
        given = f"What is said in the scene, with seconds from its start:\n{dialogue}"
        sat = await self.exam.sit(record, given, desk, LISTENER)
        item = record.item.measured({LISTENER: sat.rate})
        needed = not self.exam.passed(sat.rate)
        return [_with(record, item.model_copy(update={"visual_reliance": needed}), sat)]


@dataclass(frozen=True, slots=True)
class Hardness:
    """A strong model is given all that is told of the scene: where it fails, the question is hard.

    A question that was written from a summary of the pictures is answered with that as well.
    """

    exam: Exam = field(default_factory=lambda: Exam(ANSWER))
    name: str = "hardness"
    version: str = "1"
    roles: Sequence[str] = (READER,)
    reads: type[Drafted] = Drafted
    writes: type[Drafted] = Drafted

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.exam.settings

    async def work(self, record: Drafted, desk: Desk) -> Sequence[Drafted] | Drop:
        """The question with ``hard``."""
        text = scene_text(record.scene, "visual", "dialogue")
        given = f"What is seen and said, with seconds from the scene's start:\n{text}"
        if record.summary:
            given += f"\nWhat its pictures show: {record.summary}"
        sat = await self.exam.sit(record, given, desk, READER)
        item = record.item.measured({READER: sat.rate})
        hard = not self.exam.passed(sat.rate)
        return [_with(record, item.model_copy(update={"hard": hard}), sat)]


@dataclass(frozen=True, slots=True)
class Release:
    """The last step: a question leaves its scene; a degenerate one, never for the test split."""

    name: str = "release"
    version: str = "1"
    roles: Sequence[str] = ()
    reads: type[Drafted] = Drafted
    writes: type[Item] = Item

    @property
    def settings(self) -> Mapping[str, Any]:
        return {}

    async def work(self, record: Drafted, desk: Desk) -> Sequence[Item] | Drop:
        """The item, or why the test split does without it."""
        if record.item.split == "test" and DEGENERATE in record.item.flags:
            return Drop("degenerate, and of the test split")
        return [record.item.traced(*record.provenance)]


def _with(record: Drafted, item: Item, *sat: Sat) -> Drafted:
    return record.holding(item).traced(*(one.made for one in sat if one.made is not None))
