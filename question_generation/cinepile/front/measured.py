"""How well a classifier tells sentences whose kind is known. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from question_generation.cinepile.front.labelled import DIALOGUE, VISUAL, Labelled, SentenceKind


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts of what is (first word) and what was said of it (second)."""

    visual_visual: int
    visual_dialogue: int
    dialogue_visual: int
    dialogue_dialogue: int

    @property
    def accuracy(self) -> float:
        """Right ones of all; 0 of none."""
        right = self.visual_visual + self.dialogue_dialogue
        total = right + self.visual_dialogue + self.dialogue_visual
        return right / total if total else 0.0

    @property
    def macro_f1(self) -> float:
        """The mean of both kinds' F1."""
        wrong = self.visual_dialogue + self.dialogue_visual
        return (_f1(self.visual_visual, wrong) + _f1(self.dialogue_dialogue, wrong)) / 2


def measured(true: Sequence[SentenceKind], said: Sequence[SentenceKind]) -> Measured:
    """Both in the same order."""
    pairs = list(zip(true, said, strict=True))
    return Measured(
        pairs.count((VISUAL, VISUAL)),
        pairs.count((VISUAL, DIALOGUE)),
        pairs.count((DIALOGUE, VISUAL)),
        pairs.count((DIALOGUE, DIALOGUE)),
    )


def parted(
    sentences: Sequence[Labelled], share: float, seed: int
) -> tuple[list[Labelled], list[Labelled]]:
    """Those to train on, and a ``share`` of each kind held out, by chance."""
    chance, held = Random(f"held out {seed}"), set[int]()
    for kind in (VISUAL, DIALOGUE):
        places = [at for at, one in enumerate(sentences) if one.kind == kind]
        held |= set(chance.sample(places, round(share * len(places))))
    return (
        [one for at, one in enumerate(sentences) if at not in held],
        [one for at, one in enumerate(sentences) if at in held],
    )


def _f1(right: int, wrong: int) -> float:
    return 2 * right / (2 * right + wrong) if right else 0.0
