"""Which templates suit a scene: a model shortlists twenty, five or six of them are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.drafted import Brief, Pictured, Source
from question_generation.cinepile.scene_text import facts_text, scene_text, words_of
from question_generation.cinepile.template import Bank, Template
from question_generation.drop import Drop
from question_generation.prompt import prompt
from question_generation.stage import Desk
from strad.record import Record

SHORTLISTER = "shortlister"
PROMPT = "cinepile-shortlist.v1"
FEWEST = 12
"""Numbers that an answer must hold: models miscount, and five or six are drawn."""


class Numbers(Record):
    """The numbers of the templates that suit the scene best, each once, the best first."""

    numbers: list[int]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """One scene to the tasks to write its questions: one for each template that was drawn.

    Where the scene has a summary of its pictures, as many perceptual and temporal templates are
    drawn for that from the whole bank: they are what the paper asks of it.
    """

    bank: Bank
    longlist: int = 20
    draws: tuple[int, int] = (5, 6)
    """Fewest and most."""
    most_words: int = 20_000
    """Words of a scene beyond which no model is asked."""
    name: str = "shortlist"
    version: str = "1"
    roles: Sequence[str] = (SHORTLISTER,)
    reads: type[Pictured] = Pictured
    writes: type[Brief] = Brief

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "bank": [one.model_dump(mode="json") for one in self.bank.templates],
            "longlist": self.longlist,
            "draws": list(self.draws),
            "most_words": self.most_words,
        }

    async def work(self, record: Pictured, desk: Desk) -> Sequence[Brief] | Drop:
        """The briefs, or why there are none."""
        if not record.scene.visuals:
            return Drop("nothing is seen in the scene")
        if (words := words_of(record.scene)) > self.most_words:
            return Drop("the scene is too long", f"{words} words")
        answered = await desk.ask(self._question(record), of=SHORTLISTER)
        if isinstance(answered, Drop):
            return answered
        listed = self._valid(answered.value)[: self.longlist]
        drawn = self._drawn([self.bank.templates[n - 1] for n in listed], desk.random("draw"))
        briefs = [_brief(record, one).traced(answered.made) for one in drawn]
        return briefs + self._of_summary(record, desk.random("summary"))

    def _question(self, record: Pictured) -> Ask[Numbers]:
        blanks = {
            "scene": scene_text(record.scene, "visual", "dialogue"),
            "facts": facts_text(record.scene.facts),
            "templates": self.bank.listed(),
            "count": str(min(self.longlist, len(self.bank.templates))),
        }
        return Ask(prompt(PROMPT), blanks, Numbers, check=self._fault, max_tokens=400)

    def _valid(self, numbers: Numbers) -> list[int]:
        known = range(1, len(self.bank.templates) + 1)
        return [n for n in dict.fromkeys(numbers.numbers) if n in known]

    def _fault(self, numbers: Numbers) -> str:
        fewest = min(FEWEST, len(self.bank.templates), self.longlist)
        return "" if len(self._valid(numbers)) >= fewest else "too few numbers of the list"

    def _drawn(self, templates: Sequence[Template], random: Random) -> list[Template]:
        count = min(random.randint(*self.draws), len(templates))
        return random.sample(list(templates), count)

    def _of_summary(self, record: Pictured, random: Random) -> list[Brief]:
        if record.summary is None:
            return []
        seen = [one for one in self.bank.templates if one.kind != "reasoning"]
        return [_brief(record, one, record.summary) for one in self._drawn(seen, random)]


def _brief(record: Pictured, template: Template, summary: str | None = None) -> Brief:
    source: Source = "scene" if summary is None else "summary"
    return Brief(
        id=f"{record.id}/{source}/{template.name.lower().replace(' ', '-')}",
        provenance=record.provenance,
        scene=record.scene,
        template=template,
        source=source,
        summary=summary,
    )
