"""Three lines of a clip among a film's: a rolling window that lets descriptions pass. Pure.

A described film has sentences between the lines that the clip has too; and recognition breaks lines
elsewhere each time. So lines are matched in order, up to ``spread`` film lines apart; two lines of
the clip may lie in one of the film, and one of the clip in two of the film.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import median

import numpy as np
from numpy.typing import NDArray

from strad.record import TimedText

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a film may have the lines."""

    score: float
    """The lines' likeness to the film's, 1 for the same words; weighed by how much they say."""
    offset: float
    """Seconds: the film's time minus the clip's."""


def places(
    lines: Sequence[TimedText],
    film: Sequence[TimedText],
    likeness: NDArray[np.float32],
    paired: NDArray[np.float32],
    *,
    spread: int,
    most: int,
) -> list[Place]:
    """The best, best first; of those that overlap only one.

    ``likeness``: of each line (row) to each line of the film (column); ``paired``: to each line of
    the film with the next one.
    """
    weights = np.array([_weight(line.text) for line in lines], np.float32)
    weights /= weights.sum()
    alike = np.maximum(likeness, paired) * weights[:, None]
    totals, came = _rolled(alike, spread)
    found: list[Place] = []
    taken: list[int] = []
    for end in np.argsort(-totals, kind="stable"):
        if len(found) == most or totals[end] <= 0:
            break
        if any(abs(int(end) - other) <= spread for other in taken):
            continue
        taken.append(int(end))
        columns = _back(came, int(end))
        pairs = [
            (line, film[at : at + 1 + int(paired[row, at] > likeness[row, at])])
            for row, (line, at) in enumerate(zip(lines, columns, strict=True))
        ]
        offset = _offset(pairs)
        if offset is not None:
            found.append(Place(float(totals[end]), offset))
    return found


def _rolled(
    alike: NDArray[np.float32], spread: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Best sums that end at each line of the film, and from which line each came."""
    rows, columns = alike.shape
    came = np.zeros((rows, columns), np.int64)
    totals = alike[0].copy()
    for row in range(1, rows):
        best, where = totals.copy(), np.arange(columns)
        for back in range(1, min(spread, columns - 1) + 1):
            better = totals[:-back] > best[back:]
            best[back:][better] = totals[:-back][better]
            where[back:][better] = np.arange(columns - back)[better]
        came[row], totals = where, best + alike[row]
    return totals, came


def _back(came: NDArray[np.int64], end: int) -> list[int]:
    columns = [end]
    for row in range(len(came) - 1, 0, -1):
        columns.append(int(came[row, columns[-1]]))
    return columns[::-1]


def _weight(text: str) -> float:
    return math.sqrt(1 + sum(c.isalnum() for c in text))


def _offset(pairs: Sequence[tuple[TimedText, Sequence[TimedText]]]) -> float | None:
    """By the middle of what words say that both have, each placed within its line by letters."""
    found: list[float] = []
    for line, film in pairs:
        ours, theirs = _placed([line]), _placed(film)
        matcher = SequenceMatcher(
            None, [w for w, _ in ours], [w for w, _ in theirs], autojunk=False
        )
        for block in matcher.get_matching_blocks():
            same = [(theirs[block.b + at], ours[block.a + at]) for at in range(block.size)]
            found += [film_word[1] - clip_word[1] for film_word, clip_word in same]
    return median(found) if found else None


def _placed(lines: Sequence[TimedText]) -> list[tuple[str, float]]:
    """Words, and the middle of each in seconds, as if letters were spoken evenly."""
    return [
        (
            word.group().casefold(),
            line.start + (line.end - line.start) * sum(word.span()) / 2 / max(1, len(line.text)),
        )
        for line in lines
        for word in _WORD.finditer(line.text)
    ]
