"""Holds descriptions against a clip's script. Pure.

It finds three things: overlap with speech, what was described and what was not, and what was
stated that the script does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.demo.script import Fact, Picture, Script, Thing, Title
from service.demo.wording import CHANGE, Claim, claims, singular, without_quotes, words
from strad.cues import Cue
from strad.timeline import Interval, Ms


@dataclass(frozen=True, slots=True)
class Terms:
    """How strictly cues are held to the script."""

    tolerance: Ms = 150
    """An overlap of a cue and a spoken line up to this long is none."""
    early: Ms = 1_000
    """A cue may start at most this long before what it describes is seen."""
    late: Ms = 6_000
    """And at most this long after it was last seen: placement's own limit."""
    min_gap: Ms = 2_000
    """A fact has a gap when nobody speaks for this long while it is on screen."""


class Unsupported(NamedTuple):
    """A cue, and the words in it that nothing on screen bears out."""

    cue: Cue
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a clip's descriptions stand against its script."""

    overlap: Ms
    """Time in which cues and scripted speech lie over each other, all cues together."""
    described: tuple[Fact, ...]
    """Facts with a gap that some cue describes."""
    missed: tuple[Fact, ...]
    """Facts with a gap that none does."""
    unsupported: tuple[Unsupported, ...]

    @property
    def share(self) -> float:
        """How many of the facts with a gap are described, 0 to 1; 1 when there are none."""
        known = len(self.described) + len(self.missed)
        return len(self.described) / known if known else 1.0


def judge(cues: Sequence[Cue], script: Script, terms: Terms = Terms()) -> Verdict:
    """Hold all of a clip's cues against its script."""
    spoken = script.speech_spans()
    described = _described(cues, script, terms)
    facts = script.facts_with_gap(terms.min_gap)
    unsupported = ((cue, unsupported_words(cue, script, terms)) for cue in cues)
    return Verdict(
        overlap=sum(overlap(cue.when, spoken, terms.tolerance) for cue in cues),
        described=tuple(fact for fact in facts if fact in described),
        missed=tuple(fact for fact in facts if fact not in described),
        unsupported=tuple(Unsupported(cue, wrong) for cue, wrong in unsupported if wrong),
    )


def overlap(when: Interval, spoken: Iterable[Interval], tolerance: Ms) -> Ms:
    """Time shared with speech; what one span shares within the tolerance is not counted."""
    shared = (part.duration for span in spoken if (part := when.intersect(span)))
    return sum(time for time in shared if time > tolerance)


def unsupported_words(cue: Cue, script: Script, terms: Terms) -> tuple[str, ...]:
    """The words of a cue that claim something which is not on screen around its start."""
    seen = Interval(cue.when.start - terms.late, cue.when.start + terms.early)
    facts = [fact for fact in script.visible_facts() if fact.when.overlaps(seen)]
    pictures = [fact for fact in facts if isinstance(fact, Picture)]
    rest, _ = without_quotes(words(cue.text), _lines(facts))
    changed = any(seen.start <= cut <= seen.end for cut in script.cuts())
    phrases = _names(pictures)
    claimed = list(claims(_without_phrases(rest, phrases)))
    things = [thing for picture in pictures for thing in picture.things]
    named = [thing for thing in things if _is_named(thing, rest, claimed)]
    looks = {trait for picture in pictures for trait in picture.traits}
    looks |= {trait for thing in named for trait in thing.traits}
    return tuple(
        claim.word
        for claim in claimed
        if not any(_holds(claim, thing) for thing in things)
        and claim.word not in looks
        and not (changed and claim.word in CHANGE)
    )


def _is_named(thing: Thing, said: list[str], claimed: Iterable[Claim]) -> bool:
    """Whether it is spoken of by one of its names, in no wrong number."""
    text = f" {' '.join(said)} "
    phrased = any(" " in name and f" {name} " in text for name in thing.names)
    return phrased or any(_holds(claim, thing) for claim in claimed)


def _lines(facts: Iterable[Fact]) -> list[str]:
    """All that can be read, line by line."""
    lines: list[str] = []
    for fact in facts:
        lines += fact.lines if isinstance(fact, Title) else fact.texts
    return lines


def _names(pictures: Iterable[Picture]) -> list[list[str]]:
    """Names of more than one word."""
    names = (name for picture in pictures for thing in picture.things for name in thing.names)
    return [name.split() for name in names if " " in name]


def _without_phrases(said: list[str], phrases: Iterable[list[str]]) -> list[str]:
    for phrase in phrases:
        for at in range(len(said) - len(phrase), -1, -1):
            if said[at : at + len(phrase)] == phrase:
                said = said[:at] + said[at + len(phrase) :]
    return said


def _holds(claim: Claim, thing: Thing) -> bool:
    """Whether it bears the claim's word and number out."""
    if claim.word not in thing.names and singular(claim.word) not in thing.names:
        return False
    if claim.exact:
        return claim.count == thing.count
    return claim.word in thing.names or claim.count <= thing.count


def _described(cues: Sequence[Cue], script: Script, terms: Terms) -> set[Fact]:
    """A cue describes every title that it reads, and of the pictures that it fits the nearest."""
    found: set[Fact] = set()
    facts = script.visible_facts()
    for cue in cues:
        near = [fact for fact in facts if _in_reach(cue, fact, terms)]
        rest, read = without_quotes(words(cue.text), _lines(near))
        found.update(fact for fact in near if isinstance(fact, Title) and _is_read(fact, read))
        pictures = [f for f in near if isinstance(f, Picture) and _names_subject(rest, f)]
        pictures.sort(key=lambda picture: (picture in found, _distance(cue, picture)))
        found.update(pictures[:1])
    return found


def _in_reach(cue: Cue, fact: Fact, terms: Terms) -> bool:
    return fact.when.start - terms.early <= cue.when.start < fact.when.end + terms.late


def _is_read(title: Title, read: frozenset[str]) -> bool:
    """Whether at least half of its letters are in lines that were read."""
    return 2 * sum(len(line) for line in title.lines if line in read) >= len(title.text)


def _names_subject(said: list[str], picture: Picture) -> bool:
    claimed = list(claims(said))
    return any(_is_named(thing, said, claimed) for thing in picture.subjects)


def _distance(cue: Cue, fact: Fact) -> Ms:
    return max(fact.when.start - cue.when.start, cue.when.start - fact.when.end, 0)
