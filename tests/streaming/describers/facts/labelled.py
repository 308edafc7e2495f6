"""Frames labelled by hand, and whether a claim about one of them is true by its label."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from strad.decision import Kind
from strad.timeline import Ms, from_seconds
from streaming.describers.facts.claim import MANY, Claim, plain
from streaming.describers.facts.vocabulary import PERSON

FILE = Path(__file__).parents[1] / "labels_60.json"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What is truly visible in one frame; numbers are (fewest, most)."""

    clip: str
    t: Ms
    people: tuple[int, int]
    faces: tuple[int, int]
    things: dict[str, tuple[int, int]]
    text: tuple[str, ...]

    def bears_out(self, claim: Claim) -> bool:
        """The rules of the label file, its field ``true``."""
        if claim.kind is Kind.TEXT:
            return any(_in_order(claim.subject.split(), text.split()) for text in self.text)
        known = self.people if claim.subject == PERSON else self.things.get(claim.subject, (0, 0))
        return _counts(claim, *known) and (not claim.face or self.faces[1] >= 1)


def _counts(claim: Claim, fewest: int, most: int) -> bool:
    if claim.exact and 1 < claim.count < MANY:
        return fewest <= claim.count <= most
    return most >= claim.count


def _in_order(read: list[str], shown: list[str]) -> bool:
    words = iter([plain(word) for word in shown])
    return all(plain(word) in words for word in read)


def labelled_frames() -> list[Labelled]:
    """All sixty."""
    return [
        Labelled(
            clip=row["clip"],
            t=from_seconds(row["time"]),
            people=tuple(row["people"]),
            faces=tuple(row["faces"]),
            things={name: tuple(count) for name, count in row["things"].items()},
            text=tuple(row["text"]),
        )
        for row in json.loads(FILE.read_text("utf-8"))["frames"]
    ]
