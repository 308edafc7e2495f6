"""Where a clip lies in a described film, by what is said in both. Pure but for the embedder.

CinePile's way: the first and the last three lines of the clip are looked for among the lines of the
film's described soundtrack. Weak matches, and ends that contradict each other, are no match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from question_generation.cinepile.front.alignment import Place, places
from question_generation.drop import Drop
from question_generation.embeddings.embedder import Embedder
from strad.record import TimedText

SILENT, TOO_LITTLE = "nothing is said in the clip", "too little is said in the clip"
WEAK, APART = "not found in the film", "the clip's two ends don't agree"


@dataclass(frozen=True, slots=True)
class Matching:
    """What counts as found."""

    lines: int = 3
    """Of each end of the clip."""
    more: int = 6
    """Where those are not found: one of three may be heard in one of both only."""
    spread: int = 8
    """How many lines of the film further two lines after each other may be matched."""
    least: float = 0.53
    """The score of both ends together, and half of it for each: that they agree says much too."""
    least_words: int = 4
    """At each end: fewer are said everywhere."""
    slack: float = 3.0
    """Seconds by which the ends may disagree, and besides 3 % of the clip (other frame rates)."""
    candidates: int = 12
    """Places tried for each end."""

    @property
    def settings(self) -> dict[str, Any]:
        """As JSON has them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Located:
    """A part of the film, in its seconds; ``start`` is below 0 where the clip begins before it."""

    start: float
    end: float
    score: float
    """Of both ends together: 1 where the film has their very words."""

    def clip_time(self, at: float, duration: float) -> float:
        """A time of the film in the clip, within it."""
        share = (at - self.start) / (self.end - self.start) if self.end > self.start else 0.0
        return min(max(0.0, share * duration), duration)


def locate(
    clip: Sequence[TimedText],
    film: Sequence[TimedText],
    embedder: Embedder,
    *,
    duration: float | None = None,
    matching: Matching | None = None,
) -> Located | Drop:
    """The clip's place. ``duration``: of the clip in seconds; None: up to its last line's end.

    Lines in order of time. Takes a second or so for a whole film: call it off the event loop.
    """
    how = matching or Matching()
    said = [line for line in clip if line.text.strip()]
    heard = [line for line in film if line.text.strip()]
    if not said:
        return Drop(SILENT)
    if not heard:
        return Drop(WEAK, "nothing is said in the film")
    if min(_words(said[: how.lines]), _words(said[-how.lines :])) < how.least_words:
        return Drop(TOO_LITTLE, " / ".join(line.text for line in said[: how.lines]))
    size = min(max(how.lines, how.more), len(said))
    ends = (said[:size], said[-size:])
    alike = _likeness([*ends[0], *ends[1]], heard, embedder)
    tried: list[Drop] = []
    for many in sorted({min(how.lines, size), size}):
        rows = (range(many), range(2 * size - many, 2 * size))
        sides = [_places(said, heard, alike, rows[side], many, side, how) for side in (0, 1)]
        found = _judged(sides[0], sides[1], duration or said[-1].end, how)
        if isinstance(found, Located):
            return found
        tried.append(found)
        if found.reason == APART:  # more lines would cover up what contradicts
            break
    return tried[0]


def _places(
    said: Sequence[TimedText],
    heard: Sequence[TimedText],
    alike: tuple[NDArray[np.float32], NDArray[np.float32]],
    rows: range,
    many: int,
    side: int,
    how: Matching,
) -> list[Place]:
    lines = said[-many:] if side else said[:many]
    each = [one[rows.start : rows.stop] for one in alike]
    return places(lines, heard, each[0], each[1], spread=how.spread, most=how.candidates)


def _judged(
    heads: Sequence[Place], tails: Sequence[Place], duration: float, how: Matching
) -> Located | Drop:
    """The best two ends that agree."""
    allowed = how.slack + 0.03 * duration
    pairs = [(a, b) for a in heads for b in tails if abs(a.offset - b.offset) <= allowed]
    best = max(pairs, key=lambda pair: pair[0].score + pair[1].score, default=None)
    score = (best[0].score + best[1].score) / 2 if best else 0.0
    if best and score >= how.least and min(one.score for one in best) >= how.least / 2:
        start = best[0].offset
        return Located(start, max(start, best[1].offset + duration), min(1.0, score))
    ends = [max((one.score for one in side), default=0.0) for side in (heads, tails)]
    detail = f"best ends {ends[0]:.2f} and {ends[1]:.2f}, together {score:.2f} of {how.least}"
    return Drop(APART if min(ends) >= how.least else WEAK, detail)


def _likeness(
    lines: Sequence[TimedText], film: Sequence[TimedText], embedder: Embedder
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of the lines to each of the film's, and to each with the one after it."""
    texts = [line.text for line in film]
    joined = [f"{a} {b}" for a, b in zip(texts, [*texts[1:], ""], strict=True)]
    vectors = embedder.embed([*(line.text for line in lines), *texts, *joined])
    ours = vectors[: len(lines)]
    theirs, pairs = np.split(vectors[len(lines) :], [len(texts)])
    return ours @ theirs.T, ours @ pairs.T


def _words(lines: Sequence[TimedText]) -> int:
    return sum(len(line.text.split()) for line in lines)
