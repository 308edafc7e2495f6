"""ActionScore: how much of what happens in the reference a description tells.

Source: Xie et al. 2025 (Shot-by-Shot). Each action of the reference is compared with the
description, its parts and its verb phrases by the cosine of their embeddings, and by whether a verb
is the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from strad_eval.metrics.share import Share

SIMILAR, SAME_VERB = 0.8, 0.2
"""What the likeness and the verb weigh."""
FLOOR, STRETCH = 0.25, 2.0
"""What texts that have nothing in common score, and what is left is stretched by."""
_NOT_AN_ACTION = "be"


@dataclass(frozen=True, slots=True)
class VerbPhrase:
    """A part of a sentence around one verb."""

    text: str
    verb: str
    """Its lemma, with a particle if it has one ("sit down")."""


class Embedder(Protocol):
    """Texts as directions."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (n, d), each row of length 1."""
        ...


class VerbParser(Protocol):
    """A sentence's verb phrases."""

    def phrases(self, sentence: str) -> Sequence[VerbPhrase]: ...


def action_score(
    rows: Sequence[tuple[Sequence[str], str]],
    embedder: Embedder,
    parser: VerbParser,
    *,
    skip_empty: bool = False,
) -> Share:
    """``rows`` are a reference's actions and the description. Of each row with actions its score.

    An empty description scores 0, or is left out with ``skip_empty`` as the authors' program does.
    """
    counted = [row for row in rows if row[1].strip() or not skip_empty]
    scores = [score for score in row_scores(counted, embedder, parser) if score is not None]
    return Share(math.fsum(scores), float(len(scores)))


def row_scores(
    rows: Sequence[tuple[Sequence[str], str]], embedder: Embedder, parser: VerbParser
) -> list[float | None]:
    """Each row's score, 0 for an empty description; None where no action is known."""
    scores: list[float | None] = []
    for actions, description in rows:
        if not actions:
            scores.append(None)
        elif not description.strip():
            scores.append(0.0)
        else:
            scores.append(scaled(of_row(actions, description, embedder, parser)))
    return scores


def scaled(raw: float) -> float:
    """From the raw mean to the score as it is reported; below 0 for less than nothing in common."""
    return (raw - FLOOR) * STRETCH


def of_row(
    actions: Sequence[str], description: str, embedder: Embedder, parser: VerbParser
) -> float:
    """The mean over the actions, not scaled."""
    phrases = list(parser.phrases(description))
    pieces = list(dict.fromkeys([*parts(description), *(phrase.text for phrase in phrases)]))
    vectors = embedder.embed([*actions, *pieces])
    alike = vectors[: len(actions)] @ vectors[len(actions) :].T
    column = {piece: at for at, piece in enumerate(pieces)}
    values = []
    for action, likeness in zip(actions, alike, strict=True):
        verbs = {p.verb for p in parser.phrases(action)} - {_NOT_AN_ACTION}
        same = [float(likeness[column[p.text]]) for p in phrases if p.verb in verbs]
        values.append(SIMILAR * float(likeness.max()) + SAME_VERB * max(same, default=0.0))
    return math.fsum(values) / len(values)


def parts(sentence: str) -> list[str]:
    """The sentence, and what full stops, commas and semicolons divide it into."""
    divided = [part.strip() for part in re.split(r"[.;,]", sentence)]
    return [sentence.strip(), *(part for part in divided if part)]
