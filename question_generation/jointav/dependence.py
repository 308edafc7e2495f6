"""Whether an item needs eyes and ears, measured; one that needs less is refined, or dropped.

Three answerers are asked each item, over all rotations of its options, in several rounds: one has
question and options alone, one sees, one hears. Each is tested against guessing (``binomial``). An
item that one of them solves is written anew, checked anew and measured anew, up to ``tries`` times;
what is still solved then is dropped. The rates stay in the item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from question_generation.drop import Drop
from question_generation.item import Item, Rate
from question_generation.jointav.answerers import Asked, ask_all
from question_generation.jointav.binomial import Significance
from question_generation.jointav.check import JUDGE, Check
from question_generation.jointav.draft import Draft
from question_generation.jointav.evidence import ALONE, Described, Evidence, Given
from question_generation.jointav.refine import refined
from question_generation.stage import WRITER, Desk
from strad.errors import MediaError

ALPHA = 0.01
ROUNDS = 3
"""Rounds of four rotations: twelve answers, of which eight right ones are more than guessing."""
TRIES = 3
"""How often an item is written anew at most."""
OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Measured:
    """What all answerers made of one item."""

    asked: Mapping[Given, Asked]

    @property
    def solved_by(self) -> tuple[Given, ...]:
        """Those of one modality that solve it."""
        return tuple(given for given in ALONE if self.asked[given].solved)

    def on(self, draft: Draft) -> Draft:
        """The draft with the rates, and where they come from."""
        rates: dict[str, Rate] = {given: asked.rate for given, asked in self.asked.items()}
        made = [asked.made for asked in self.asked.values() if asked.made]
        together = self.asked.get("both")
        flags = ("unsolved",) if together is not None and not together.solved else ()
        return draft.measured(rates).flagged(*flags).traced(*made)


@dataclass(frozen=True, slots=True)
class Dependence:
    """The measurement, and the loop around it. ``evidence``: what answerers see and hear."""

    evidence: Evidence = field(default_factory=Described)
    rounds: int = ROUNDS
    alpha: float = ALPHA
    tries: int = TRIES
    together: bool = True
    """Whether one that sees and hears is asked as well: its rate is told, and decides nothing."""
    checks: tuple[Check, ...] = ()
    """What a question that is written anew has to pass again."""
    name: str = "dependence"
    version: str = "1"

    def __post_init__(self) -> None:
        self.test()

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "alpha": self.alpha,
            "rounds": self.rounds,
            "tries": self.tries,
            "together": self.together,
            "evidence": self.evidence.name,
        }

    @property
    def roles(self) -> tuple[str, ...]:
        return (*self._answerers(), *((WRITER, JUDGE) if self.tries else ()))

    @property
    def reads(self) -> type[Draft]:
        return Draft

    @property
    def writes(self) -> type[Item]:
        return Item

    def test(self) -> Significance:
        """How each item is tested. Raises InputError where so few answers can't tell."""
        return Significance(self.rounds * OPTIONS, OPTIONS, len(ALONE), self.alpha)

    async def work(self, record: Draft, desk: Desk) -> Sequence[Item] | Drop:
        draft = record
        for tried in range(self.tries + 1):
            try:
                measured = await self.measure(draft, desk)
            except MediaError as error:
                return Drop("the video can't be decoded", str(error))
            if not measured.solved_by:
                return [measured.on(draft).item()]
            solved = f"solved with one modality: {', '.join(measured.solved_by)}"
            if tried == self.tries:
                return Drop(solved)
            anew = await refined(draft, measured.solved_by, self.checks, desk, tried)
            if isinstance(anew, Drop):
                return Drop(solved, f"written anew {tried + 1} times, then: {anew.reason}")
            draft = anew
        raise AssertionError("the loop ends by itself")

    async def measure(self, draft: Draft, desk: Desk) -> Measured:
        """What the answerers make of one draft. Raises EngineError when a model can't be had."""
        test = self.test()
        return Measured(
            {
                given: await ask_all(draft, given, self.evidence, desk, self.rounds, test)
                for given in self._answerers()
            }
        )

    def _answerers(self) -> tuple[Given, ...]:
        return (*ALONE, "both") if self.together else ALONE
