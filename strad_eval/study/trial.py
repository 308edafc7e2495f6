"""What one participant is asked, in what order: drawn by the study's seed and the participant."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from strad_eval.study.plan import Excerpt, Study

Kind: TypeAlias = Literal["scales", "ab"]
SIDES = ("A", "B")


@dataclass(frozen=True, slots=True)
class Trial:
    """One page: an excerpt with one system to rate, or two to choose from."""

    id: str
    kind: Kind
    excerpt: Excerpt
    systems: tuple[str, ...]
    """One; or two, in the order in which they are shown as A and B."""

    def token(self, participant: str) -> str:
        """Names the trial on its page without naming a system."""
        return hashlib.sha256(f"{participant}:{self.id}".encode()).hexdigest()[:16]


def trials_of(study: Study, participant: str) -> list[Trial]:
    """All of a participant's trials in their order; the same each time it is asked.

    Excerpts come in an order of the participant's own; who is rated or is A in each is shuffled
    too, and each participant begins elsewhere, so that no system is always heard first.
    """
    draw = random.Random(f"{study.seed}:{participant}")
    found: list[Trial] = []
    for kind in study.kinds:
        part = _scales(study, draw) if kind == "scales" else _pairs(study, draw)
        draw.shuffle(part)
        found += _apart(part)
    return found


def _scales(study: Study, draw: random.Random) -> list[Trial]:
    return [
        Trial(f"scales {excerpt.id} {system}", "scales", excerpt, (system,))
        for excerpt in study.excerpts
        for system in study.systems
    ]


def _pairs(study: Study, draw: random.Random) -> list[Trial]:
    found: list[Trial] = []
    for excerpt in study.excerpts:
        for pair in combinations(study.systems, 2):
            sides = tuple(draw.sample(pair, 2))
            found.append(Trial(f"ab {excerpt.id} {' '.join(pair)}", "ab", excerpt, sides))
    return found


def _apart(trials: list[Trial]) -> list[Trial]:
    """The same order, but no excerpt twice in a row where that can be helped."""
    waiting = list(trials)
    found: list[Trial] = []
    while waiting:
        last = found[-1].excerpt.id if found else None
        at = next((i for i, trial in enumerate(waiting) if trial.excerpt.id != last), 0)
        found.append(waiting.pop(at))
    return found
