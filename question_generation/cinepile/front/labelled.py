"""A sentence and what it is: a description of what is seen, or dialogue. One line of JSONL each."""

from __future__ import annotations

from typing import Literal, TypeAlias

from strad.line_file import LineFile
from strad.questions import Filled
from strad.record import Record

SentenceKind: TypeAlias = Literal["visual", "dialogue"]
VISUAL: SentenceKind = "visual"
DIALOGUE: SentenceKind = "dialogue"


class LabelledHeader(Record):
    """The optional first line of a file of labelled sentences."""

    strad: Literal["sentences"]
    version: Literal[1]


class Labelled(Record):
    """One sentence."""

    text: Filled
    kind: SentenceKind
    visual: float | None = None
    """How likely it is a description, where a classifier said so."""
    start: float | None = None
    """Seconds, where it has times."""
    end: float | None = None


LABELLED = LineFile(LabelledHeader, Labelled)
