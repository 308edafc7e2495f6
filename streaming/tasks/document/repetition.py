"""Whether a description says again what an earlier one said. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from strad.timeline import Ms
from streaming.said import says_the_same
from streaming.tasks.document.gist import gist
from streaming.tasks.document.mentions import Cast

SOON: Ms = 60_000
"""Within this time the same in other words is said again; later it may happen again."""
LEAST_GIST = 2
"""Words that the gist of a description has, at least, to be taken for that of another."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Said:
    """One description; people in it are ids."""

    id: str
    plain: str
    words: frozenset[str]
    who: tuple[str, ...]
    """In the order in which they are mentioned."""
    gist: frozenset[str] | None
    """None where the language is one that has none."""
    at: Ms


def _repeats(new: _Said, old: _Said) -> bool:
    """It adds no word, or hardly any; where each has a word of its own, they tell two things.

    Unless those words are only other words for the same, soon after it.
    """
    if new.who[:1] != old.who[:1] or not new.words:
        return False
    if new.words <= old.words:
        return True
    if old.words <= new.words and says_the_same(new.plain, old.plain):
        return True
    return new.who == old.who and abs(new.at - old.at) <= SOON and _paraphrases(new, old)


def _paraphrases(new: _Said, old: _Said) -> bool:
    if new.gist is None or old.gist is None:
        return False
    return len(new.gist) >= LEAST_GIST and new.gist <= old.gist


class Told:
    """All that has been said in the programme so far."""

    def __init__(self, cast: Cast, language: str) -> None:
        self._cast = cast
        self._language = language
        self._said: list[_Said] = []

    def add(self, id: str, text: str, at: Ms) -> None:
        """Remember that this was said then."""
        self._said.append(self._as_said(id, text, at))

    def repeats(self, text: str, at: Ms) -> str | None:
        """The id of an earlier description that says the same, if there is one.

        Whether somebody is called by name or by look makes no difference; who is meant does.
        """
        new = self._as_said("", text, at)
        return next((old.id for old in reversed(self._said) if _repeats(new, old)), None)

    def _as_said(self, id: str, text: str, at: Ms) -> _Said:
        plain = self._cast.as_ids(text)
        who = tuple(word for word in plain.split() if word in self._cast.people)
        words = frozenset(_WORD.findall(plain.casefold()))
        return _Said(id, plain, words, who, gist(plain, self._language), at)

    def nearest(self, text: str, most: int) -> list[str]:
        """Ids of the earlier descriptions that share most words with ``text``, nearest first."""
        wanted = self._as_said("", text, 0).words
        ranked = [(len(wanted & old.words), n) for n, old in enumerate(self._said)]
        best = sorted((pair for pair in ranked if pair[0]), reverse=True)[:most]
        return [self._said[n].id for _, n in best]
