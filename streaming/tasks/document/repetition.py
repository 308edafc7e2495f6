"""Whether a description says again what an earlier one said. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from streaming.said import says_the_same
from streaming.tasks.document.mentions import Cast

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Said:
    """One description; people in it are ids."""

    id: str
    plain: str
    words: frozenset[str]
    who: tuple[str, ...]
    """In the order in which they are mentioned."""


def _repeats(new: _Said, old: _Said) -> bool:
    """It adds no word, or hardly any; where each has a word of its own, they tell two things."""
    if new.who[:1] != old.who[:1] or not new.words:
        return False
    if new.words <= old.words:
        return True
    return old.words <= new.words and says_the_same(new.plain, old.plain)


class Told:
    """All that has been said in the programme so far."""

    def __init__(self, cast: Cast) -> None:
        self._cast = cast
        self._said: list[_Said] = []

    def add(self, id: str, text: str) -> None:
        """Remember that this was said."""
        self._said.append(self._as_said(id, text))

    def repeats(self, text: str) -> str | None:
        """The id of an earlier description that says the same, if there is one.

        Whether somebody is called by name or by look makes no difference; who is meant does.
        """
        new = self._as_said("", text)
        return next((old.id for old in reversed(self._said) if _repeats(new, old)), None)

    def _as_said(self, id: str, text: str) -> _Said:
        plain = self._cast.as_ids(text)
        who = tuple(word for word in plain.split() if word in self._cast.people)
        return _Said(id, plain, frozenset(_WORD.findall(plain.casefold())), who)

    def nearest(self, text: str, most: int) -> list[str]:
        """Ids of the earlier descriptions that share most words with ``text``, nearest first."""
        wanted = self._as_said("", text).words
        ranked = [(len(wanted & old.words), n) for n, old in enumerate(self._said)]
        best = sorted((pair for pair in ranked if pair[0]), reverse=True)[:most]
        return [self._said[n].id for _, n in best]


def told_of(cast: Cast, said: Iterable[tuple[str, str]]) -> Told:
    """What these descriptions told: id and text each."""
    told = Told(cast)
    for id, text in said:
        told.add(id, text)
    return told
