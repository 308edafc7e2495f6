"""One task to one question: five options, the answer among them by chance, and a rationale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from question_generation.ask import Ask
from question_generation.cinepile.drafted import Brief, Drafted
from question_generation.cinepile.scene_text import facts_text, scene_text
from question_generation.cinepile.written import Settled, Written, fault, settled
from question_generation.drop import Drop
from question_generation.item import Item
from question_generation.options import shuffled
from question_generation.prompt import prompt
from question_generation.stage import WRITER, Desk

PERCEIVER = "perceiver"
"""Writes the perceptual questions: the paper found that another model is better at those."""
FROM_SCENE, FROM_SUMMARY = "cinepile-write.v1", "cinepile-write-summary.v1"


@dataclass(frozen=True, slots=True)
class Writing:
    """The step that writes the questions."""

    temperature: float = 0.7
    name: str = "write"
    version: str = "1"
    roles: Sequence[str] = (WRITER, PERCEIVER)
    reads: type[Brief] = Brief
    writes: type[Drafted] = Drafted

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"temperature": self.temperature}

    async def work(self, record: Brief, desk: Desk) -> Sequence[Drafted] | Drop:
        """The question, or why there is none."""
        role = PERCEIVER if record.template.kind == "perceptual" else WRITER
        answered = await desk.ask(self._question(record), of=role)
        if isinstance(answered, Drop):
            return answered
        made = settled(answered.value)
        item = _item(record, made, shuffled(made.options, desk.random("positions")))
        drafted = Drafted(
            id=record.id,
            provenance=record.provenance,
            scene=record.scene,
            item=item,
            summary=record.summary,
        )
        return [drafted.traced(answered.made)]

    def _question(self, record: Brief) -> Ask[Written]:
        blanks = {
            "scene": record.summary or scene_text(record.scene, "visual", "dialogue"),
            "facts": facts_text(record.scene.facts),
            "name": record.template.name,
            "template": record.template.template,
            "prototype": record.template.prototype,
            "category": record.template.category.words,
        }
        name = FROM_SCENE if record.source == "scene" else FROM_SUMMARY
        return Ask(prompt(name), blanks, Written, check=fault, temperature=self.temperature)


def _item(brief: Brief, made: Settled, options: tuple[str, ...]) -> Item:
    scene = brief.scene
    return Item(
        id=brief.id,
        video_id=scene.video_id,
        film_id=scene.film,
        scene_id=scene.id,
        question=made.question,
        answer=made.answer,
        options=options,
        rationale=made.rationale,
        category=brief.template.category.words,
        template=brief.template.name,
        segment=scene.segment,
        split=scene.split,
        flags=("from-summary",) if brief.source == "summary" else (),
    )
