"""Three wrong options for each draft: written by the model, or by rule where rules can."""

from __future__ import annotations

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.check import Check
from question_generation.jointav.distractors import COUNT, fault, shuffled, stretches
from question_generation.jointav.draft import Draft, told
from question_generation.jointav.form import english, stretch_of
from question_generation.jointav.general import texts
from question_generation.jointav.sequence import labels_in, other_orders
from question_generation.jointav.tasks import tasks
from question_generation.jointav.wording import worded
from question_generation.prompt import prompt
from question_generation.stage import WRITER, Desk
from strad.record import Record

PROMPT = "jointav-distractors.v1"
TEMPERATURE = 0.1


class Wrong(Record):
    """Three wrong options."""

    options: tuple[str, ...]
    """Each plausible, none right, in the answer's form."""


async def distract(draft: Draft, desk: Desk) -> Draft | Drop:
    """The draft with four options in a drawn order."""
    by_rule = _by_rule(draft, desk)
    if by_rule is not None:
        if len(by_rule) < COUNT:
            return Drop("too few other segments")
        return _with(draft, by_rule, desk)
    answered = await desk.ask(ask_wrong(draft))
    if isinstance(answered, Drop):
        return answered
    wrong = tuple(" ".join(option.split()) for option in answered.value.options)
    if said := fault(wrong, draft.answer):
        return Drop(said)
    return _with(draft, wrong, desk).traced(answered.made)


def ask_wrong(draft: Draft) -> Ask[Wrong]:
    """What the model is asked."""

    def check(found: Wrong) -> str:
        if not all(
            english(option) or not any(map(str.isalpha, option)) for option in found.options
        ):
            return "an option is not in English"
        return fault(found.options, draft.answer)

    blanks = {**texts(draft), "form": tasks()[draft.task].form, "material": told(draft.parts)}
    return Ask(prompt(PROMPT), blanks, Wrong, check, temperature=TEMPERATURE)


def _by_rule(draft: Draft, desk: Desk) -> tuple[str, ...] | None:
    random = desk.random("distractors")
    if tasks()[draft.task].is_order:
        return other_orders(labels_in(draft.answer), COUNT, random)
    if draft.task == "PTG" and (stretch := stretch_of(draft.answer)):
        return stretches(draft.parts, stretch, random)
    return None


def _with(draft: Draft, wrong: tuple[str, ...], desk: Desk) -> Draft:
    options = shuffled(draft.answer, wrong, desk.random("options"))
    return draft.model_copy(update={"options": options})


async def reword(draft: Draft, desk: Desk) -> Draft | Drop:
    """The draft in its last words."""
    return worded(draft) or Drop("it speaks of a segment that is not shown")


DISTRACT = Check("distractors", distract, roles=(WRITER,))
REWORD = Check("wording", reword, roles=())
