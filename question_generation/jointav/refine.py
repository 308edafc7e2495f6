"""A question that one modality solves is written anew, and has to pass the checks again."""

from __future__ import annotations

from collections.abc import Sequence

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.check import Check
from question_generation.jointav.distractors import COUNT, shuffled
from question_generation.jointav.distractors import fault as options_fault
from question_generation.jointav.draft import Draft, told
from question_generation.jointav.evidence import HAD, Given
from question_generation.jointav.form import english, fault
from question_generation.jointav.general import texts
from question_generation.jointav.sequence import labels_in, other_orders, plain, written
from question_generation.jointav.tasks import tasks
from question_generation.jointav.wording import worded
from question_generation.jointav.write import said_of
from question_generation.prompt import prompt
from question_generation.stage import WRITER, Desk
from strad.record import Record

PROMPT = "jointav-refine.v1"
TEMPERATURE = 0.8
"""As CinePile's refinement has it."""


class Rewritten(Record):
    """The question anew."""

    question: str
    answer: str
    explanation: str
    wrong: tuple[str, ...]
    """Three wrong options."""


async def refined(
    draft: Draft, solved_by: Sequence[Given], checks: Sequence[Check], desk: Desk, tried: int
) -> Draft | Drop:
    """Another draft in its place, which has passed the checks; or why there is none."""
    answered = await desk.ask(_ask(draft, solved_by, tried), of=WRITER)
    if isinstance(answered, Drop):
        return answered
    anew = _rewritten(draft, answered.value).flagged("refined").traced(answered.made)
    for check in checks:
        looked = await check.of(anew, desk)
        if isinstance(looked, Drop):
            return looked
        anew = looked
    return _whole(anew, answered.value, desk, tried) or Drop("no three wrong options")


def _ask(draft: Draft, solved_by: Sequence[Given], tried: int) -> Ask[Rewritten]:
    task = tasks()[draft.task]

    def check(found: Rewritten) -> str:
        if said := fault(task, found.question, found.answer, found.explanation):
            return said
        if task.code == "PDP" and plain(found.answer) != plain(draft.answer):
            return "the answer must stay as it is"
        if task.is_order:
            return ""
        wrong = options_fault(found.wrong, found.answer)
        return wrong or ("" if all(map(english, found.wrong)) else "an option is not in English")

    blanks = {
        **said_of(task),
        **texts(draft),
        "had": " or ".join(HAD[given] for given in solved_by),
        "wrong": "\n".join(f"- {option}" for option in draft.options if option != draft.answer),
        "material": told(draft.parts),
    }
    return Ask(prompt(PROMPT), blanks, Rewritten, check, temperature=TEMPERATURE, draw=tried)


def _rewritten(draft: Draft, found: Rewritten) -> Draft:
    is_order = tasks()[draft.task].is_order
    answer = written(labels_in(found.answer)) if is_order else " ".join(found.answer.split())
    update = {
        "question": " ".join(found.question.split()),
        "answer": answer,
        "rationale": found.explanation.strip(),
        "options": (),
        "flags": tuple(flag for flag in draft.flags if flag != "order corrected"),
        "rates": {},
    }
    return draft.model_copy(update=update)


def _whole(draft: Draft, found: Rewritten, desk: Desk, tried: int) -> Draft | None:
    """With its options, in its last words."""
    random = desk.random(f"refined {tried}")
    wrong = tuple(" ".join(option.split()) for option in found.wrong)
    if tasks()[draft.task].is_order:
        wrong = other_orders(labels_in(draft.answer), COUNT, random)
    elif options_fault(wrong, draft.answer):
        return None
    options = shuffled(draft.answer, wrong, random)
    return worded(draft.model_copy(update={"options": options}))
