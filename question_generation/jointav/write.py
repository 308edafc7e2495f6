"""The writer: questions of one task about what is seen and heard in one scene, or one video."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.ask import Answered, Ask
from question_generation.drop import Drop
from question_generation.jointav.draft import Assignment, Draft, told
from question_generation.jointav.form import fault
from question_generation.jointav.sequence import labels_in, written
from question_generation.jointav.tasks import Task, tasks
from question_generation.jointav.wording import shown
from question_generation.prompt import prompt
from question_generation.stage import WRITER, Desk
from strad.record import Record

PROMPT = "jointav-question.v1"
TEMPERATURE, TOP_P, MOST_TOKENS = 0.1, 0.001, 1024
"""The paper's settings; its repetition penalty of 1.05 is no setting that all engines have."""


class Written(Record):
    """One question."""

    question: str
    answer: str
    explanation: str
    """Which lines, seen and heard, lead to the answer."""


class Questions(Record):
    """What was asked for; empty where the material has nothing to ask."""

    questions: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Write:
    """Asks the model for an assignment's questions; those without form are asked for again."""

    name: str = "questions"
    version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    roles: tuple[str, ...] = (WRITER,)

    @property
    def reads(self) -> type[Assignment]:
        return Assignment

    @property
    def writes(self) -> type[Draft]:
        return Draft

    async def work(self, record: Assignment, desk: Desk) -> Sequence[Draft] | Drop:
        task = tasks()[record.task]
        answered = await desk.ask(_ask(task, record))
        if isinstance(answered, Drop):
            return answered
        good = [one for one in answered.value.questions if not _fault(task, one)]
        drafts = _drafts(task, record, answered, good[: task.count])
        return drafts or Drop("nothing to ask", task.code)


def _ask(task: Task, record: Assignment) -> Ask[Questions]:
    blanks = {
        **said_of(task),
        "count": str(task.count),
        "material": told(record.parts),
        "story": f"What the film is about: {record.story}" if record.story else "",
    }

    def check(found: Questions) -> str:
        faults = [_fault(task, one) for one in found.questions]
        return faults[0] if faults and all(faults) and "nothing to ask" not in faults else ""

    return Ask(
        prompt(PROMPT),
        blanks,
        Questions,
        check,
        max_tokens=MOST_TOKENS * max(1, task.count // 2),
        temperature=TEMPERATURE,
        top_p=TOP_P,
    )


def said_of(task: Task) -> dict[str, str]:
    """What prompts say of a task."""
    return {
        "task": task.known.name,
        "asks": task.asks,
        "holds": "\n".join(f"- {one}" for one in task.holds),
        "form": task.form,
        "example": task.example,
    }


def _fault(task: Task, one: Written) -> str:
    return fault(task, one.question, one.answer, one.explanation)


def _drafts(
    task: Task, record: Assignment, answered: Answered[Questions], good: Sequence[Written]
) -> list[Draft]:
    stem = record.id.rpartition("_")[0]
    unlike = {" ".join(one.question.casefold().split()): one for one in reversed(good)}
    drafts = []
    for number, one in enumerate(reversed(unlike.values())):
        answer = written(labels_in(one.answer)) if task.is_order else one.answer.strip()
        draft = Draft(
            id=f"{stem}_{record.place + number}",
            video_id=record.video_id,
            film_id=record.film_id,
            scene_id=record.scene_id,
            question=one.question.strip(),
            answer=answer,
            rationale=one.explanation.strip(),
            task=task.code,
            segment=shown(record.parts),
            split=record.split,
            modality=" + ".join(("vision", *task.known.audio)),
            parts=record.parts,
            clip=record.clip,
            provenance=record.provenance,
        )
        drafts.append(draft.traced(answered.made))
    return drafts
