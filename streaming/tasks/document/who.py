"""Who is who: what a model guesses, step by step, against what the programme really named. Pure.

A name counts only where a line of dialogue or words on screen hold it; from the end of that line
on it is known. A name that no line holds is kept apart, so that it is never said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from strad.passes import Heard, Looked, NameGuess, Person, PersonGuess
from strad.timeline import Ms, to_seconds

NameSource: TypeAlias = Literal["dialogue", "on-screen"]


@dataclass(frozen=True, slots=True)
class Given:
    """A line of the programme that can name somebody, and when it has been taken in."""

    id: str
    end: Ms
    text: str
    source: NameSource

    def holds(self, name: str) -> bool:
        """Whether the name stands in it, as whole words in any case."""
        return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", self.text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class Proven:
    """A name, and what gives it."""

    name: str
    learned: Ms
    source: NameSource


@dataclass(slots=True)
class Somebody:
    """One person, as far as they are known."""

    description: str
    looks: dict[str, None] = field(default_factory=dict)
    names: dict[str, Proven] = field(default_factory=dict)
    """By the name in lower case."""
    unproven: dict[str, None] = field(default_factory=dict)

    def take(self, other: Somebody) -> None:
        """They were the same all along."""
        self.description = self.description or other.description
        self.looks |= other.looks
        self.unproven |= other.unproven
        for key, name in other.names.items():
            if key not in self.names or name.learned < self.names[key].learned:
                self.names[key] = name


def givens(heard: Iterable[Heard], looked: Iterable[Looked]) -> list[Given]:
    """All that can name somebody, in order of time."""
    said = [Given(h.id, h.when.end, h.text, "dialogue") for h in heard if h.kind == "speech"]
    read = [
        Given(look.id, look.when.end, " / ".join(look.read), "on-screen")
        for look in looked
        if look.read
    ]
    return sorted([*said, *read], key=lambda given: (given.end, given.id))


def prove(guess: NameGuess, lines: Sequence[Given]) -> Proven | None:
    """The name as the line said to give it, or else the first that does, holds it."""
    name = " ".join(guess.name.split())
    if not name:
        return None
    cited = next((line for line in lines if line.id == guess.source and line.holds(name)), None)
    line = cited or next((line for line in lines if line.holds(name)), None)
    return Proven(name, line.end, line.source) if line else None


class Book:
    """All people of a programme, in order of their first appearance."""

    def __init__(self, lines: Sequence[Given]) -> None:
        self._lines = lines
        self._people: list[Somebody] = []

    def take(self, guesses: Iterable[PersonGuess]) -> None:
        """Add what one answer says. Ids are those of ``people`` as it was before."""
        ids: Mapping[str, Somebody] = {f"p{n}": who for n, who in enumerate(self._people, 1)}
        for guess in guesses:
            new = self._somebody(guess)
            if not new.looks and not new.description:
                continue
            known = ids.get(guess.id)
            if known is not None and known in self._people:
                known.take(new)
            else:
                self._people.append(new)
            self._join()

    def people(self) -> list[Person]:
        """Everybody; the first name that the programme gave is the one that is used."""
        return [_person(f"p{n}", who) for n, who in enumerate(self._people, 1)]

    def _somebody(self, guess: PersonGuess) -> Somebody:
        looks = dict.fromkeys(" ".join(look.split()) for look in guess.looks if look.strip())
        who = Somebody(" ".join(guess.description.split()), looks)
        for named in guess.names:
            proven = prove(named, self._lines)
            if proven is not None:
                who.names.setdefault(proven.name.casefold(), proven)
            elif named.name.strip():
                who.unproven[" ".join(named.name.split())] = None
        return who

    def _join(self) -> None:
        """Nobody shares a name with somebody else, nor a look, unless they have other names."""
        kept: list[Somebody] = []
        for who in self._people:
            same = next((other for other in kept if _same(other, who)), None)
            if same is None:
                kept.append(who)
            else:
                same.take(who)
        joined = len(kept) < len(self._people)
        self._people = kept
        if joined:
            self._join()


def _same(one: Somebody, other: Somebody) -> bool:
    """By name; by look only where the programme does not call them differently."""
    if one.names and other.names:
        return not one.names.keys().isdisjoint(other.names)
    return not one.looks.keys().isdisjoint(other.looks)


def _person(id: str, who: Somebody) -> Person:
    names = sorted(who.names.values(), key=lambda proven: (proven.learned, proven.name))
    looks = tuple(who.looks)
    description = who.description or f"the {looks[0]}"
    known = {name.name.casefold() for name in names}
    unproven = tuple(name for name in who.unproven if name.casefold() not in known)
    person = Person(
        id=id, description=description, name=None, looks=looks, aliases=(), unproven=unproven
    )
    if not names:
        return person
    first, *others = names
    return person.model_copy(
        update={
            "name": first.name,
            "learned": to_seconds(first.learned),
            "source": first.source,
            "aliases": tuple(name.name for name in others),
        }
    )
