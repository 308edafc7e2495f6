"""Which description became which: a stream's as it was told, and the same after an editor. Pure.

By times and text, one to one, the surest first:

1. the same text at the same time (0.25 s): unchanged;
2. the same text, at most 30 s away, the nearest first: moved;
3. other text in time that both have, the most common time first: edited;
4. text that is alike, at most 30 s away, the likest first: edited.

What is left of those that were told was deleted, what is left of the editor's was added. A text is
the same to the letter, spaces around it aside; alike are texts of which most words, in their order,
are the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TypeAlias

from strad.cues import Cue
from strad.timeline import Ms

SAME_TIME: Ms = 250
FAR: Ms = 30_000
"""What begins further apart is not the same description."""
ALIKE = 0.6
"""Of two texts' words, the least share in common and in order for one to be the other, edited."""
_WORD = re.compile(r"\w+")


class Change(StrEnum):
    """What an editor did with a description. The values are in data sets."""

    UNCHANGED = "unchanged"
    MOVED = "moved"
    EDITED = "edited"
    DELETED = "deleted"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Correction:
    """One description before and after: ``told`` is None if it was added, ``kept`` if deleted."""

    change: Change
    told: Cue | None
    kept: Cue | None


Rank: TypeAlias = Callable[[Cue, Cue], float | None]
"""How surely the second is the first, the higher the surer; None: it is not."""


def corrections(told: Iterable[Cue], kept: Iterable[Cue]) -> list[Correction]:
    """Every description of both, once, in order of time."""
    before, after = list(told), list(kept)
    found: list[Correction] = []
    for change, rank in _STEPS:
        pairs = _pairs(before, after, rank)
        found += [Correction(change, before[n], after[m]) for n, m in pairs]
        before = [cue for n, cue in enumerate(before) if n not in dict(pairs)]
        after = [cue for m, cue in enumerate(after) if m not in {m for _, m in pairs}]
    found += [Correction(Change.DELETED, cue, None) for cue in before]
    found += [Correction(Change.ADDED, None, cue) for cue in after]
    return sorted(found, key=_when)


def _unchanged(a: Cue, b: Cue) -> float | None:
    off = max(abs(a.when.start - b.when.start), abs(a.when.end - b.when.end))
    return -off if a.text.strip() == b.text.strip() and off <= SAME_TIME else None


def _moved(a: Cue, b: Cue) -> float | None:
    apart = _apart(a, b)
    return -apart if a.text.strip() == b.text.strip() and apart <= FAR else None


def _edited(a: Cue, b: Cue) -> float | None:
    common = a.when.intersect(b.when)
    return common.duration if common else None


def _alike(a: Cue, b: Cue) -> float | None:
    if _apart(a, b) > FAR:
        return None
    ratio = SequenceMatcher(None, _words(a.text), _words(b.text), autojunk=False).ratio()
    return ratio if ratio >= ALIKE else None


_STEPS: Sequence[tuple[Change, Rank]] = (
    (Change.UNCHANGED, _unchanged),
    (Change.MOVED, _moved),
    (Change.EDITED, _edited),
    (Change.EDITED, _alike),
)


def _pairs(before: Sequence[Cue], after: Sequence[Cue], rank: Rank) -> list[tuple[int, int]]:
    """Places of both, one to one, the surest first; of equally sure ones the earliest."""
    ranked = [
        (-value, n, m)
        for n, a in enumerate(before)
        for m, b in _near(a, after)
        if (value := rank(a, b)) is not None
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, n, m in sorted(ranked):
        if n not in pairs and m not in taken:
            pairs[n] = m
            taken.add(m)
    return list(pairs.items())


def _near(cue: Cue, others: Sequence[Cue]) -> Iterator[tuple[int, Cue]]:
    for n, other in enumerate(others):
        if _apart(cue, other) <= FAR or cue.when.overlaps(other.when):
            yield n, other


def _apart(a: Cue, b: Cue) -> Ms:
    return abs(a.when.start - b.when.start)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _when(correction: Correction) -> tuple[Ms, Ms]:
    cue = correction.kept or correction.told
    assert cue is not None
    return cue.when.start, cue.when.end
