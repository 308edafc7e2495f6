"""The general checks, of question, answer and explanation alone.

They are four: modality, format, content, speculation.

The judge's word that both modalities are needed is the paper's check. It is only asked for; whether
it is true is measured later, by ``dependence``.
"""

from __future__ import annotations

from question_generation.ask import Ask
from question_generation.drop import Drop
from question_generation.jointav.check import JUDGE, Check
from question_generation.jointav.draft import Draft
from question_generation.prompt import prompt
from question_generation.stage import Desk
from strad.record import Record

MODALITY, QUALITY = "jointav-modality.v1", "jointav-quality.v1"


class Modality(Record):
    """What it takes to answer the question."""

    seen: str
    """What must be seen; empty: nothing."""
    heard: str
    """What must be heard; empty: nothing."""
    both_needed: bool


class Quality(Record):
    """How well question, answer and explanation go together."""

    complete: bool
    """The answer gives all that the question asks for, and nothing else."""
    supported: bool
    """The explanation is sound, and the answer follows from it."""
    concrete: bool
    """The explanation rests on what is seen and heard, not on guesses."""
    why: str = ""


async def modality(draft: Draft, desk: Desk) -> Draft | Drop:
    """Whether seeing and hearing are both needed, as a judge sees it."""
    answered = await desk.ask(Ask(prompt(MODALITY), texts(draft), Modality), of=JUDGE)
    if isinstance(answered, Drop):
        return answered
    found = answered.value
    if not (found.both_needed and found.seen.strip() and found.heard.strip()):
        return Drop("judged to need one modality only")
    return draft.traced(answered.made)


async def quality(draft: Draft, desk: Desk) -> Draft | Drop:
    """Whether form and content are good, and nothing is guessed."""
    answered = await desk.ask(Ask(prompt(QUALITY), texts(draft), Quality), of=JUDGE)
    if isinstance(answered, Drop):
        return answered
    found = answered.value
    for good, reason in (
        (found.complete, "the answer does not fit the question"),
        (found.supported, "the explanation does not lead to the answer"),
        (found.concrete, "the explanation guesses"),
    ):
        if not good:
            return Drop(reason, found.why)
    return draft.traced(answered.made)


def texts(draft: Draft) -> dict[str, str]:
    """What prompts show of a draft."""
    return {"question": draft.question, "answer": draft.answer, "explanation": draft.rationale}


GENERAL = (Check("modality-check", modality), Check("quality-check", quality))
