"""Names that the programme itself tells, gathered with when and where they were learned. Pure.

A name counts once there is enough evidence: an introduction ("I'm Anna"), a title ("Mr. Burns") or
a caption ("Anna Keller, detective") is enough; being shown ("this is Anna") or spoken to ("Anna,
come here") is half of it each time. The name is learned when the last of it was heard, and never
used before. What is missed is missed: a wrong name does harm, a missing one little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from strad.speech import Word
from strad.timeline import Ms
from streaming.name_rules import RULES, NameRules
from streaming.window import KnownFact

MOST_NAMES = 64
MOST_CANDIDATES = 256
LONGEST_NAME = 3
"""Words of a name, a title not counted."""
ENOUGH = 2
PAUSE: Ms = 1_500
"""Silence after which what is said is another utterance."""
MOST_WORDS = 60
"""Of an utterance: what goes on for longer is cut."""

_NAME = re.compile(r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:['\u2019-][A-Za-z\u00c0-\u00ff]+)*$")
_EDGES = " \t\"'\u2018\u2019\u201c\u201d()[]-\u2013\u2014"
_STOPS = ".,!?;:\u2026"
_ENDS = (".", "!", "?", "\u2026")
_CAPTION = re.compile(r"([^,.:;!?]+),\s*([^,.:;!?]+)")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """One word: as it was written, alone, and what it ends with."""

    text: str
    low: str
    mark: str
    end: Ms

    @classmethod
    def of(cls, word: Word) -> _Spoken:
        whole = word.text.strip(_EDGES)
        bare = whole.rstrip(_STOPS)
        return cls(bare, bare.replace("\u2019", "'").lower(), whole[len(bare) :], word.when.end)


@dataclass(frozen=True, slots=True)
class _Hint:
    name: str
    weight: int
    at: Ms


class NameBook:
    """The names of one stream, in the order in which they were learned."""

    def __init__(self, language: str | None, known: Iterable[KnownFact] = ()) -> None:
        """``language`` is a BCP 47 tag; None: names are not gathered."""
        self._rules = RULES.get(language.split("-")[0].lower()) if language else None
        self._known = {fact.text: fact for fact in known}
        self._evidence: dict[str, int] = {}
        self._utterance: list[Word] = []

    @property
    def known(self) -> tuple[KnownFact, ...]:
        """All of them."""
        return tuple(self._known.values())

    def facts(self, since: Ms, at: Ms) -> tuple[KnownFact, ...]:
        """Those learned from ``since`` to ``at``, as one would know them then."""
        return tuple(fact for fact in self._known.values() if since <= fact.learned <= at)

    def hear(self, words: Sequence[Word]) -> None:
        """Learn from words that are final, in order."""
        if self._rules is None:
            return
        for word in words:
            if self._utterance and self._is_over(word):
                self._utterance.clear()
            self._utterance.append(word)
            self._learn(_hints([_Spoken.of(w) for w in self._utterance], self._rules), "name")

    def read(self, text: str, at: Ms) -> None:
        """Learn from a caption that was read on screen, by ``at``."""
        if self._rules is None:
            return
        for name, role in _CAPTION.findall(text.rpartition(":")[2]):
            tokens = name.strip(_EDGES).split()
            named = 1 <= len(tokens) <= LONGEST_NAME and all(
                _is_name(t, self._rules) for t in tokens
            )
            if named and any(word.lower() in self._rules.roles for word in role.split()):
                self._learn([_Hint(" ".join(tokens), ENOUGH, at)], "on-screen-text")

    def _is_over(self, word: Word) -> bool:
        last = self._utterance[-1]
        ended = last.text.rstrip(_EDGES).endswith(_ENDS) and not self._is_title(last)
        long = len(self._utterance) >= MOST_WORDS
        return ended or long or word.when.start - last.when.end >= PAUSE

    def _is_title(self, word: Word) -> bool:
        return self._rules is not None and _Spoken.of(word).low in self._rules.titles

    def _learn(self, hints: Iterable[_Hint], source: str) -> None:
        for hint in hints:
            if hint.name in self._known:
                continue
            evidence = self._evidence.pop(hint.name, 0) + hint.weight
            self._evidence[hint.name] = evidence
            if evidence >= ENOUGH:
                del self._evidence[hint.name]
                self._known[hint.name] = KnownFact(hint.name, source, hint.at)
            while len(self._evidence) > MOST_CANDIDATES:
                del self._evidence[next(iter(self._evidence))]
            while len(self._known) > MOST_NAMES:
                del self._known[next(iter(self._known))]


def _hints(said: Sequence[_Spoken], rules: NameRules) -> Iterator[_Hint]:
    """What the newest word completes; each bit of evidence once."""
    at = said[-1].end
    if len(said) > 2 and all(word.text.isupper() for word in said if len(word.text) > 1):
        return  # all in capitals: nothing can be told from them
    if not said[-1].mark:
        if _is_name(said[-1].text, rules) or len(said) == 1 or said[-2].mark:
            return  # a name may go on in the next word, or there was none before this one
        said = said[:-1]
    name = _name_before(said, rules)
    if not name:
        return
    before = tuple(word.low for word in said[: len(said) - len(name)])
    text = " ".join(word.text for word in name)
    if before and before[-1] in rules.titles:
        yield _Hint(f"{said[len(before) - 1].text} {text}", ENOUGH, at)
    elif _follows(before, rules.introductions):
        yield _Hint(text, ENOUGH, at)
    elif _follows(before, rules.showings) or _is_spoken_to(said, len(name)):
        yield _Hint(text, 1, at)


def _name_before(said: Sequence[_Spoken], rules: NameRules) -> Sequence[_Spoken]:
    """The name that ends with the newest word; empty where it is none."""
    start = len(said)
    while start > 0 and len(said) - start < LONGEST_NAME and _is_name(said[start - 1].text, rules):
        if start < len(said) and said[start - 1].mark:
            break
        start -= 1
    return said[start:]


def _is_name(text: str, rules: NameRules) -> bool:
    low = text.lower()
    return bool(_NAME.match(text)) and low not in rules.never and low not in rules.titles


def _follows(before: tuple[str, ...], phrases: Iterable[tuple[str, ...]]) -> bool:
    return any(before[-len(phrase) :] == phrase for phrase in phrases)


def _is_spoken_to(said: Sequence[_Spoken], length: int) -> bool:
    """As in ``Anna, come here`` and ``Come here, Anna!``."""
    mark = said[-1].mark
    first = len(said) == length and mark == ","
    after_comma = len(said) > length and said[-length - 1].mark == ","
    return first or (after_comma and mark not in ("", ","))
