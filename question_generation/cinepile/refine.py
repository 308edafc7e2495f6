"""Version 2's refinement: what one who saw nothing answers rightly is mended until it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.drafted import Drafted
from question_generation.cinepile.exam import Chosen, Exam, Sat
from question_generation.cinepile.filters import NO_CONTEXT
from question_generation.cinepile.scene_text import scene_text
from question_generation.cinepile.written import Settled, Written, fault, settled
from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.options import LETTERS, shuffled
from question_generation.prompt import prompt
from question_generation.stage import Desk

STUDENT, REWRITER = "student", "rewriter"
REFINED, WEAK = "refined", "weak"
REWRITE = "cinepile-refine.v1"


class Explained(Chosen):
    """The option that you take to be right, and what made you choose it."""

    rationale: str


def _student() -> Exam:
    """More than half of five rotations, as in version 2."""
    return Exam(
        "cinepile-student.v1",
        rotations=5,
        least=3,
        wanted=Explained,
        max_tokens=400,
        temperature=0.1,
    )


@dataclass(frozen=True, slots=True)
class Refine:
    """A student with the question and options alone, and a writer who closes the ways it found.

    A question that the student still answers after ``tries`` rewritings is kept in its least weak
    wording and flagged ``weak``: it is for people to look at. A rotation without a usable answer
    counts as not right, never as not asked.
    """

    exam: Exam = field(default_factory=_student)
    tries: int = 5
    temperature: float = 0.8
    name: str = "refine"
    version: str = "1"
    roles: Sequence[str] = (STUDENT, REWRITER)
    reads: type[Drafted] = Drafted
    writes: type[Drafted] = Drafted

    @property
    def settings(self) -> Mapping[str, Any]:
        return {**self.exam.settings, "tries": self.tries, "temperature": self.temperature}

    async def work(self, record: Drafted, desk: Desk) -> Sequence[Drafted] | Drop:
        """The question in the wording that the student did worst on."""
        best, found = await self._examined(record, desk, 0)
        now, sat = best, found
        for attempt in range(1, self.tries + 1):
            if not self.exam.passed(found.rate):
                break
            rewritten = await self._rewritten(now, sat, desk, attempt)
            if rewritten is None:
                continue
            now, sat = await self._examined(rewritten, desk, attempt)
            if sat.rate.right < found.rate.right:
                best, found = now, sat
        return [self._flagged(best, record, found)]

    async def _examined(self, drafted: Drafted, desk: Desk, attempt: int) -> tuple[Drafted, Sat]:
        sat = await self.exam.sit(drafted, NO_CONTEXT, desk, STUDENT, draw=attempt)
        measured = drafted.holding(drafted.item.measured({STUDENT: sat.rate}))
        return (measured.traced(sat.made) if sat.made else measured), sat

    async def _rewritten(
        self, drafted: Drafted, sat: Sat, desk: Desk, attempt: int
    ) -> Drafted | None:
        answered = await desk.ask(self._question(drafted, sat, attempt), of=REWRITER)
        if isinstance(answered, Drop):
            return None
        made = settled(answered.value)
        options = shuffled(made.options, desk.random(f"positions {attempt}"))
        return drafted.holding(_changed(drafted.item, made, options)).traced(answered.made)

    def _question(self, drafted: Drafted, sat: Sat, attempt: int) -> Ask[Written]:
        item = drafted.item
        why = next((told for right, told in sat.given if right and told.strip()), "It did not say.")
        blanks = {
            "scene": drafted.summary or scene_text(drafted.scene, "visual", "dialogue"),
            "kind": item.template or "",
            "question": item.question,
            "options": "\n".join(f"{LETTERS[n]}) {one}" for n, one in enumerate(item.options)),
            "answer": item.answer,
            "student": why,
        }
        return Ask(
            prompt(REWRITE),
            blanks,
            Written,
            check=fault,
            temperature=self.temperature,
            draw=attempt,
        )

    def _flagged(self, best: Drafted, first: Drafted, found: Sat) -> Drafted:
        flags = (WEAK,) if self.exam.passed(found.rate) else ()
        if (best.item.question, best.item.options) != (first.item.question, first.item.options):
            flags = (*flags, REFINED)
        return best.holding(best.item.flagged(*flags))


def _changed(item: Item, made: Settled, options: tuple[str, ...]) -> Item:
    return item.model_copy(
        update={
            "question": made.question,
            "options": options,
            "answer": made.answer,
            "rationale": made.rationale,
        }
    )
