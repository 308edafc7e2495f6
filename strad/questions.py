"""Questions about videos and their answer key (JSONL).

``question_generation`` writes them, ``strad_eval`` scores answers by them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from strad.line_file import LineFile
from strad.record import Id, Record, Seconds


def _in_order(segment: tuple[float, float]) -> tuple[float, float]:
    if segment[1] < segment[0]:
        raise ValueError("it ends before it starts")
    return segment


Index = Annotated[int, Field(ge=0)]
Filled = Annotated[str, Field(pattern=r"\S")]
Segment = Annotated[tuple[Seconds, Seconds], AfterValidator(_in_order)]


class QuestionsHeader(Record):
    """The optional first line of a file of questions."""

    strad: Literal["questions"]
    version: Literal[1]


class AnswersHeader(Record):
    """The optional first line of an answer key."""

    strad: Literal["answers"]
    version: Literal[1]


class AnswerKey(Record):
    """Which option of a question is right."""

    id: Id
    """The question's."""
    answer_index: Index
    """From 0."""


class Question(Record):
    """A multiple-choice question. Without ``answer_index`` its key is kept elsewhere."""

    id: Id
    video_id: Id
    question: Filled
    options: Annotated[tuple[Filled, ...], Field(min_length=2, max_length=26)]
    answer_index: Index | None = None
    """From 0."""
    category: str | None = None
    """CinePile's word for what is asked about."""
    task: str | None = None
    """JointAVBench's word for it."""
    rationale: str | None = None
    """Why the answer is right."""
    segment: Segment | None = None
    """Start and end, in seconds, of the part of the video it is about."""
    split: str | None = None
    """Such as ``train`` or ``test``."""
    hard: bool | None = None
    """Whether a strong model failed on it with everything at hand."""
    visual_reliance: bool | None = None
    """Whether the dialogue alone is not enough."""
    modality: str | None = None
    """What must be seen or heard to answer it."""
    provenance: dict[str, Any] | None = None
    """How it was made: models, prompt versions, seeds."""

    def key(self) -> AnswerKey | None:
        """Its line of the answer key, if the answer is here."""
        if self.answer_index is None:
            return None
        return AnswerKey(id=self.id, answer_index=self.answer_index)

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("two options are the same")
        if self.answer_index is not None and self.answer_index >= len(self.options):
            raise ValueError("answer_index is beyond the options")
        return self


QUESTIONS = LineFile(QuestionsHeader, Question)
ANSWERS = LineFile(AnswersHeader, AnswerKey)
