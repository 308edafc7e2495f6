"""An answerer that reads: it knows what it is given; where that is silent, it guesses.

It finds the times at which the question's quotes stand in what it is given, and looks which option
stands there too. Nothing else tells it the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from question_generation.jointav.sequence import plain, written
from tests.question_generation.jointav.material import Seen, material

QUOTE = re.compile(r"'([^']+)'")
_ORDER = re.compile(r"\(([abc])\) '([^']+)'")
_SECONDS = re.compile(r"from (\d+) s to")
SMALL = set(
    [
        "the",
        "a",
        "an",
        "in",
        "of",
        "is",
        "that",
        "it",
        "about",
        "to",
        "and",
        "which",
        "what",
        "when",
    ]
)

Guess: TypeAlias = Callable[[Sequence[str], Random], str]
"""A letter, or ``none``, of so many options."""


def by_chance(options: Sequence[str], random: Random) -> str:
    return random.choice("ABCD"[: len(options)])


def says_none(options: Sequence[str], random: Random) -> str:
    return "none"


def always_a(options: Sequence[str], random: Random) -> str:
    return "A"


def the_longest(options: Sequence[str], random: Random) -> str:
    """A liking for one option by what it is, wherever it stands."""
    return "ABCD"[max(range(len(options)), key=lambda at: (len(options[at]), options[at]))]


@dataclass(frozen=True, slots=True)
class Reader:
    """``slips``: how often it answers by chance though it knows."""

    guess: Guess = by_chance
    slips: float = 0.0

    def letter(self, user: str) -> str:
        """Its answer to one prompt."""
        random = Random(user)
        given, _, rest = user.partition("\n\nQuestion: ")
        question, *rows = rest.split("\n")
        options = [row.partition(". ")[2] for row in rows if re.match(r"[A-D]\. ", row)]
        known = _known(material(given), question, options)
        if known is None:
            return self.guess(options, random)
        return by_chance(options, random) if random.random() < self.slips else "ABCD"[known]


def _known(lines: list[Seen], question: str, options: list[str]) -> int | None:
    if _ORDER.search(question):
        return _order(lines, question, options)
    if given_away := _given_away(question, options):
        return options.index(given_away)
    cues = QUOTE.findall(question)
    places = _places(lines, cues)
    if "right after" in question:
        places = {_next_words(lines, segment + 1) for segment, _ in places}
    elif _SECONDS.search(options[0]):
        return _stretch(lines, {segment for segment, _ in places}, options)
    here = [x for x in lines if (x.segment, x.t) in places]
    found = [at for at, option in enumerate(options) if any(x.holds(option) for x in here)]
    return found[0] if len(found) == 1 else None


def _next_words(lines: list[Seen], segment: int) -> tuple[int, float]:
    """Where in a segment the first words are said; nowhere, if none are."""
    said = [x.t for x in lines if x.segment == segment and x.kind == "dialogue"]
    return segment, min(said, default=-1.0)


def _places(lines: list[Seen], cues: list[str]) -> set[tuple[int, float]]:
    """Where all the quotes stand at once."""
    found: set[tuple[int, float]] | None = None
    for cue in cues:
        here = {(line.segment, line.t) for line in lines if line.holds(cue)}
        found = here if found is None else found & here
    return found or set()


def _order(lines: list[Seen], question: str, options: list[str]) -> int | None:
    firsts: dict[str, tuple[int, float]] = {}
    for label, cue in _ORDER.findall(question):
        places = [(line.segment, line.t) for line in lines if line.holds(cue)]
        if not places:
            return None
        firsts[label] = min(places)
    order = written(sorted(firsts, key=lambda label: firsts[label]))
    return options.index(order) if order in options else None


def _stretch(lines: list[Seen], segments: set[int], options: list[str]) -> int | None:
    starts = {line.start for line in lines if line.segment in segments}
    if len(starts) != 1:
        return None
    wanted = starts.pop() - min(line.start for line in lines)
    told = [float(_SECONDS.findall(option)[0]) for option in options]
    return told.index(wanted) if told.count(wanted) == 1 else None


def _given_away(question: str, options: list[str]) -> str | None:
    """The one option that the question speaks of, quotes apart."""
    asked = set(plain(QUOTE.sub(" ", question)).split()) - SMALL
    shared = Counter({option: len(asked & set(plain(option).split())) for option in options})
    (best, most), (_, second) = shared.most_common(2)
    return best if most >= 2 and second < most else None
