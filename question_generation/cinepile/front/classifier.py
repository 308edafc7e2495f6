"""Which classifier of sentences is used: our own, one of your file, or a BERT of your folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from question_generation.cinepile.front.bert import read_bert
from question_generation.cinepile.front.labelled import DIALOGUE, VISUAL, SentenceKind
from question_generation.cinepile.front.sentence_model import own_model, read_model


class Classifier(Protocol):
    """Tells descriptions from dialogue. May take minutes: call it off the event loop."""

    @property
    def name(self) -> str:
        """For settings: another name wherever the same sentences may be told otherwise."""
        ...

    def visual(self, texts: Sequence[str]) -> list[float]:
        """How likely each is a description and not dialogue, from 0 to 1."""
        ...


def classifier(given: Path | None = None) -> Classifier:
    """The one in that file or folder; None: our own. Raises InputError, MissingModelError."""
    if given is None:
        return own_model()
    return read_bert(given) if given.is_dir() else read_model(given)


def kinds(texts: Sequence[str], by: Classifier) -> list[SentenceKind]:
    """Of each: a description where that is at least as likely."""
    return [VISUAL if likely >= 0.5 else DIALOGUE for likely in by.visual(texts)]
