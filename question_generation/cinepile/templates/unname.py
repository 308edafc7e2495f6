"""Names out of questions: by rule, or by a model as in the paper, held to what rules can check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.templates.human_question import HumanQuestion
from question_generation.cinepile.templates.names import unnamed
from question_generation.drop import Drop
from question_generation.prompt import prompt
from question_generation.stage import Desk
from strad.record import Record

RENAMER = "renamer"
PROMPT = "cinepile-unname.v1"
LONGEST = 600
"""Characters of a question; what is longer is a text, not a question."""


class Nameless(Record):
    """The question without names."""

    question: str


@dataclass(frozen=True, slots=True)
class UnnameByRule:
    """Replaces what rules take for a name."""

    name: str = "unname"
    version: str = "rules 1"
    roles: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    reads: type[HumanQuestion] = HumanQuestion
    writes: type[HumanQuestion] = HumanQuestion

    async def work(self, record: HumanQuestion, desk: Desk) -> Sequence[HumanQuestion] | Drop:
        """See ``Stage``."""
        if len(record.question) > LONGEST:
            return Drop("longer than a question")
        return [_without(record, unnamed(record.question, record.names))]


@dataclass(frozen=True, slots=True)
class Unname:
    """Asks a model to replace names; what it leaves, rules replace."""

    name: str = "unname"
    version: str = "1"
    roles: Sequence[str] = (RENAMER,)
    settings: Mapping[str, Any] = field(default_factory=dict)
    reads: type[HumanQuestion] = HumanQuestion
    writes: type[HumanQuestion] = HumanQuestion

    async def work(self, record: HumanQuestion, desk: Desk) -> Sequence[HumanQuestion] | Drop:
        """See ``Stage``."""
        if len(record.question) > LONGEST:
            return Drop("longer than a question")

        def fault(found: Nameless) -> str:
            if not found.question.strip():
                return "it is empty"
            return "it is another question" if _too_long(found.question, record.question) else ""

        ask = Ask(prompt(PROMPT), {"question": record.question}, Nameless, fault, max_tokens=256)
        answered = await desk.ask(ask, of=RENAMER)
        if isinstance(answered, Drop):
            return answered
        said = unnamed(answered.value.question, record.names)
        return [_without(record, said).traced(answered.made)]


def _without(record: HumanQuestion, question: str) -> HumanQuestion:
    return record.model_copy(update={"question": question, "asked": record.question})


def _too_long(said: str, asked: str) -> bool:
    return len(said) > 2 * len(asked) + 40
