"""A question that a person asked about a film. One line of JSONL each."""

from __future__ import annotations

from typing import Literal

from question_generation.provenance import Traced
from strad.line_file import LineFile
from strad.questions import Filled
from strad.record import Record


class HumanQuestionsHeader(Record):
    """The optional first line of a file of them."""

    strad: Literal["human questions"]
    version: Literal[1]


class HumanQuestion(Traced):
    """Questions of different ``source``s are clustered apart: they differ in kind."""

    question: Filled
    source: Filled = "questions"
    """The data set it is from: ``movieqa``."""
    names: tuple[str, ...] = ()
    """Of people and places, where they are known: they are found without, as far as rules do."""
    asked: str | None = None
    """As it was asked, where names were taken out of ``question``."""


HUMAN_QUESTIONS = LineFile(HumanQuestionsHeader, HumanQuestion)
