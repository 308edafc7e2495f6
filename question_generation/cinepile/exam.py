"""A model answers one question over rotations of its options: how often it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

from question_generation.ask import Answered, Ask
from question_generation.cinepile.drafted import Drafted
from question_generation.drop import Drop
from question_generation.item import Item, Rate
from question_generation.options import LETTERS, rotated
from question_generation.prompt import prompt
from question_generation.provenance import Made
from question_generation.stage import Desk
from strad.record import Record


class Chosen(Record):
    """The option that you take to be right, even if you are not sure."""

    answer: Literal["A", "B", "C", "D", "E"]


@dataclass(frozen=True, slots=True)
class Sat:
    """An exam that was taken."""

    rate: Rate
    made: Made | None
    """Of all its asks together; None where none could be used."""
    given: tuple[tuple[bool, str], ...] = ()
    """Of each usable answer: whether it was right, and the rationale, if it was asked for."""


@dataclass(frozen=True, slots=True)
class Exam:
    """What is asked, how often, and how many right ones count as knowing the answer."""

    prompt: str
    rotations: int = 5
    """Cyclic, so that a model which always takes one letter is right once in five."""
    least: int = 4
    """Right ones from which the answer is known: with five options, four of five by guessing
    happen once in 149, three of five once in 17, one of one once in five."""
    wanted: type[Chosen] = Chosen
    max_tokens: int = 64
    temperature: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.least <= self.rotations:
            raise ValueError("least must be from 1 to the number of rotations")

    @property
    def settings(self) -> dict[str, object]:
        return {"rotations": self.rotations, "least": self.least, "prompt": self.prompt}

    def passed(self, rate: Rate) -> bool:
        """Whether the answerer knew the answer."""
        return rate.right >= self.least

    async def sit(self, drafted: Drafted, given: str, desk: Desk, role: str, draw: int = 0) -> Sat:
        """Ask the model in ``role``, which is given ``given`` beside question and options.

        An answer that can't be used counts as asked and is never right.
        """
        answers: list[tuple[bool, str]] = []
        mades: list[Made] = []
        for turn in range(self.rotations):
            options = rotated(drafted.item.options, turn)
            answered = await desk.ask(self._ask(drafted.item, options, given, draw), of=role)
            if not isinstance(answered, Drop):
                answers.append(_marked(answered, options, drafted.item))
                mades.append(answered.made)
        rate = self._rate(desk.model(role), answers, len(drafted.item.options))
        return Sat(rate, together(mades), tuple(answers))

    def _ask(self, item: Item, options: Sequence[str], given: str, draw: int) -> Ask[Chosen]:
        blanks: Mapping[str, str] = {
            "given": given,
            "question": item.question,
            "options": "\n".join(f"{LETTERS[n]}) {one}" for n, one in enumerate(options)),
        }
        return Ask(
            prompt(self.prompt),
            blanks,
            self.wanted,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            draw=draw,
        )

    def _rate(self, model: str, answers: Sequence[tuple[bool, str]], options: int) -> Rate:
        right = sum(right for right, _ in answers)
        return Rate(
            model=model,
            right=right,
            asked=self.rotations,
            unanswered=self.rotations - len(answers),
            p=by_chance(right, self.rotations, 1 / options),
        )


def by_chance(right: int, asked: int, chance: float) -> float:
    """How likely at least so many right answers are when each is a guess."""
    tail = sum(
        comb(asked, n) * chance**n * (1 - chance) ** (asked - n) for n in range(right, asked + 1)
    )
    return min(1.0, tail)


def together(mades: Sequence[Made]) -> Made | None:
    """Several answers of one model to one prompt as one entry: tries, tokens and cost added up."""
    if not mades:
        return None
    return mades[0].model_copy(
        update={
            "tries": sum(made.tries for made in mades),
            "prompt_tokens": _sum([made.prompt_tokens for made in mades]),
            "completion_tokens": _sum([made.completion_tokens for made in mades]),
            "cost": _sum([made.cost for made in mades]),
            "repaired": tuple(dict.fromkeys(what for made in mades for what in made.repaired)),
        }
    )


def _sum(values: Sequence[int | float | None]) -> int | float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _marked(answered: Answered[Chosen], options: Sequence[str], item: Item) -> tuple[bool, str]:
    place = LETTERS.index(answered.value.answer)
    right = place < len(options) and options[place] == item.answer
    return right, str(getattr(answered.value, "rationale", ""))
