"""A candidate question: what a run makes, checks and measures until it is a ``Question``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from question_generation.provenance import Count, Traced
from strad.line_file import LineFile
from strad.questions import Filled, Question, Segment
from strad.record import Id, Record


class ItemsHeader(Record):
    """The optional first line of a file of items."""

    strad: Literal["items"]
    version: Literal[1]


class Rate(Record):
    """How often an answerer was right about one item, over rotations of its options."""

    model: str
    right: Count
    asked: Count
    """All of them, also those it gave no answer to: silence is never right."""
    unanswered: Count = 0
    p: Annotated[float, Field(ge=0, le=1)] | None = None
    """How likely so many right ones are by chance (one-sided), where it was tested."""

    @property
    def share(self) -> float:
        """Right ones of all asked; 0 of none."""
        return self.right / self.asked if self.asked else 0.0


class Item(Traced):
    """A question with its answer; its options may come later."""

    video_id: Id
    film_id: Id | None = None
    """As in the scene."""
    scene_id: Id | None = None
    """The scene it was made from; None where it is of several: see ``segment``."""
    question: Filled
    answer: Filled
    """The right option's text."""
    options: tuple[Filled, ...] = ()
    """In the order they are shown, the answer among them; empty until there are distractors."""
    rationale: str | None = None
    category: str | None = None
    """CinePile's word for what is asked about."""
    task: str | None = None
    """JointAVBench's code: ``STL``."""
    template: str | None = None
    """The name of the template it follows."""
    segment: Segment | None = None
    """Seconds of the video."""
    split: str | None = None
    hard: bool | None = None
    visual_reliance: bool | None = None
    modality: str | None = None
    """What must be seen or heard to answer it."""
    flags: tuple[str, ...] = ()
    """What was found about it, such as ``degenerate`` or ``refined``; sorted, each once."""
    rates: Mapping[str, Rate] = Field(default_factory=dict)
    """By answerer: ``options only 1``, ``dialogue``, ``text-only``, ``vision-only``, ..."""

    @property
    def film(self) -> str:
        return self.film_id or self.video_id

    @property
    def answer_index(self) -> int | None:
        """Where the answer stands among the options, from 0; None without options."""
        return self.options.index(self.answer) if self.options else None

    def flagged(self, *flags: str) -> Self:
        """With these flags as well."""
        return self.model_copy(update={"flags": tuple(sorted({*self.flags, *flags}))})

    def measured(self, rates: Mapping[str, Rate]) -> Self:
        """With these rates as well; a rate of the same name is replaced."""
        return self.model_copy(update={"rates": {**self.rates, **rates}})

    def question_of(self) -> Question:
        """As ``strad-eval mcq`` scores it. Raises ValueError while it has no options."""
        index = self.answer_index
        if index is None:
            raise ValueError(f"{self.id}: no options yet")
        told = {
            "id": self.id,
            "video_id": self.video_id,
            "question": self.question,
            "options": self.options,
            "answer_index": index,
            "category": self.category,
            "task": self.task,
            "rationale": self.rationale,
            "segment": self.segment,
            "split": self.split,
            "hard": self.hard,
            "visual_reliance": self.visual_reliance,
            "modality": self.modality,
            "provenance": self._made(),
        }
        return Question.model_validate({k: v for k, v in told.items() if v is not None})

    def _made(self) -> dict[str, object]:
        return {
            "steps": [made.model_dump(exclude_unset=True) for made in self.provenance],
            "rates": {name: rate.model_dump() for name, rate in self.rates.items()},
            "flags": list(self.flags),
            "template": self.template,
            "scene": self.scene_id,
        }

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("two options are the same")
        if self.options and self.answer not in self.options:
            raise ValueError("the answer is not among the options")
        return self


ITEMS = LineFile(ItemsHeader, Item)
