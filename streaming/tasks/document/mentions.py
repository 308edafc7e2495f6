"""Who is called what, when: one name a character, and none before the programme gives it. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from strad.passes import Person
from strad.timeline import Ms, from_seconds

LEAST_DESCRIBED = 3
"""Words of a description that stands for one person only; ``the man`` may be anybody."""
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|[.!?]\s+)$")


@dataclass(frozen=True, slots=True)
class Reworded:
    """A text that calls everybody by the right name."""

    text: str
    named: frozenset[str]
    """Ids of those it calls by their name."""
    mentioned: frozenset[str]
    """Ids of all whom it mentions."""


def is_named(person: Person, t: Ms) -> bool:
    """Whether the programme has named them by ``t``."""
    return bool(person.name) and (person.learned is None or from_seconds(person.learned) <= t)


@dataclass(frozen=True, slots=True)
class _Mention:
    """One person in a text, perhaps by name and description both: ``text[start:end]``."""

    who: str
    ref: str
    text: str
    start: int
    end: int


class Cast:
    """All characters, and every way in which a text may speak of them."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = {person.id: person for person in people}
        self._whose = {name: person.id for person in people for name in person.unproven}
        self._whose |= {name: person.id for person in people for name in _proven(person)}
        described = Counter(ref for person in people for ref in _descriptions(person))
        for person in people:
            for ref in _descriptions(person):
                if described[ref] == 1 and ref not in self._whose:
                    self._whose[ref] = person.id
        self._one, self._more = _patterns(list(self._whose))

    def reword(self, text: str, t: Ms, introduced: frozenset[str] | None = None) -> Reworded:
        """The text as it may be said at ``t``.

        ``introduced``: those who have been called by their name before; others who have one are
        called by name and description, once. None: nobody is introduced so.
        """
        named: set[str] = set()
        mentioned: set[str] = set()

        def put(found: _Mention) -> str:
            person = self.people[found.who]
            mentioned.add(found.who)
            first = introduced is not None and found.who not in (introduced | named)
            if is_named(person, t):
                named.add(found.who)
            return _called(person, found, t, first=first)

        return Reworded(self._rewrite(text, put), frozenset(named), frozenset(mentioned))

    def as_ids(self, text: str) -> str:
        """The text with an id for each mention: by name or by look, it is the same."""
        return self._rewrite(text, lambda found: f" {found.who} ")

    def _rewrite(self, text: str, put: Callable[[_Mention], str]) -> str:
        """The text with something else for each mention."""
        if not self._whose:
            return text
        made: list[str] = []
        at = 0
        while found := self._one.search(text, at):
            who, end = self._id(found["ref"]), found.end()
            more = self._more.match(text, end)
            if more and self._id(more["ref"]) == who:
                end = more.end()
            made += [
                text[at : found.start()],
                put(_Mention(who, found["ref"], text, found.start(), end)),
            ]
            at = end
        return "".join([*made, text[at:]])

    def mentioned(self, text: str) -> frozenset[str]:
        """Ids of all whom a text mentions."""
        return self.reword(text, 0).mentioned

    def too_early(self, text: str, t: Ms) -> list[str]:
        """Names in the text that the programme has not given by ``t``."""
        return [
            name
            for person in self.people.values()
            for name in _names(person)
            if self._whose[name] == person.id
            and not (name == person.name and is_named(person, t))
            and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        ]

    def _id(self, ref: str) -> str:
        return self._whose.get(ref) or self._whose[_bare(ref)]


def _called(person: Person, found: _Mention, t: Ms, *, first: bool) -> str:
    """What stands in place of a mention."""
    if is_named(person, t):
        said = str(person.name)
        if not first or not person.description or _starts_named(person):
            return said
        return f"{said}, {_the(person.description)}{_comma(found)}"
    by_name = found.ref in _names(person)
    said = _the(person.description) if by_name else found.ref
    at_start = _SENTENCE.search(found.text[: found.start]) is not None
    return said[:1].upper() + said[1:] if at_start else said


def _comma(found: _Mention) -> str:
    """What is put between commas ends with one, unless the sentence does."""
    rest = found.text[found.end :].lstrip()
    return "" if not rest or rest[0] in ".!?,;:" else ","


def _starts_named(person: Person) -> bool:
    """Whether they have their name from the start: then nobody knows them as anything else."""
    return person.learned is None


def _proven(person: Person) -> list[str]:
    return [name for name in (*person.aliases, person.name) if name and name.strip()]


def _names(person: Person) -> list[str]:
    known = [*_proven(person), *person.unproven]
    return [name for name in dict.fromkeys(known) if name.strip()]


def _descriptions(person: Person) -> list[str]:
    bare = dict.fromkeys(_bare(look) for look in (person.description, *person.looks))
    return [look for look in bare if len(look.split()) + 1 >= LEAST_DESCRIBED]


def _bare(look: str) -> str:
    return _ARTICLE.sub("", look.strip()).casefold()


def _the(description: str) -> str:
    text = description.strip()
    return text[:1].lower() + text[1:] if _ARTICLE.match(text) else text


def _patterns(refs: Sequence[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A mention; and another one right after it, between commas."""
    one = "|".join(_part(ref) for ref in sorted(refs, key=len, reverse=True))
    ref = rf"(?P<ref>{one})(?!\w)"
    return re.compile(rf"(?<!\w){ref}"), re.compile(rf", {ref}(?:,|(?=[.!?;])|$)")


def _part(ref: str) -> str:
    """Names as they are written; what is lower case, in any case and with its article."""
    if ref != ref.casefold():
        return re.escape(ref)
    return rf"(?i:(?:(?:the|a|an) )?{re.escape(ref)})"
