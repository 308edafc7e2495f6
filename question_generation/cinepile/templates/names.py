"""Names out of a question: people become ``someone``, places ``a place``, titles a role. Pure.

Embeddings dwell on proper nouns: without this, questions cluster by who is in them. A name is told
by its capital, where a sentence does not ask for one anyway, or by being listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

PERSON, OTHER, THIRD, PLACE = "someone", "someone else", "a third person", "a place"
THING = "thing"
"""After an article: ``the Titanic``."""
_PEOPLE = (PERSON, OTHER, THIRD)
ROLES = MappingProxyType(
    {
        "mr": "the man",
        "mister": "the man",
        "sir": "the man",
        "lord": "the man",
        "mrs": "the woman",
        "ms": "the woman",
        "miss": "the woman",
        "madam": "the woman",
        "lady": "the woman",
        "dr": "the doctor",
        "doctor": "the doctor",
        "prof": "the teacher",
        "professor": "the teacher",
        "detective": "the detective",
        "inspector": "the detective",
        "officer": "the officer",
        "sergeant": "the officer",
        "captain": "the captain",
        "colonel": "the officer",
        "agent": "the agent",
        "judge": "the judge",
        "king": "the king",
        "queen": "the queen",
        "prince": "the prince",
        "princess": "the princess",
        "father": "the priest",
        "sister": "the sister",
        "uncle": "the uncle",
        "aunt": "the aunt",
    }
)
"""A title before a name, and whom it makes of the two."""
_OPENING_WORDS = """
a about according after all although am an and any are as at because before between both but by can
could describe despite did do does due during each even explain finally following for from give had
has have he her his how identify if in instead into is it its list many may might most much name no
not of on once one or other our out over she should since so some tell that the their then there
these they this those though through to toward towards under until upon was we were what whatever
when whenever where wherever whether which while who whom whose why will with within without would
you your
"""
_OPENERS = frozenset(_OPENING_WORDS.split())
"""Words that begin sentences and are no names."""
_KEPT_WORDS = """
i monday tuesday wednesday thursday friday saturday sunday january february march april may june
july august september october november december english french german spanish italian american
british russian chinese japanese african european indian christmas easter thanksgiving halloween god
internet ok okay
"""
_KEPT = frozenset(_KEPT_WORDS.split())
"""Capitals that name nobody."""
_BEFORE_PLACES = frozenset(
    ("in", "into", "inside", "within", "near", "outside", "throughout", "across", "around")
)
_WORDS_AFTER_NAMES = """
is was are were has had have does did do will would can could should may might says said asks asked
tells told and or wants wanted goes went gets got takes took
"""
_AFTER_NAMES = frozenset(_WORDS_AFTER_NAMES.split())
_JOINED = frozenset(
    (
        "de",
        "del",
        "della",
        "van",
        "von",
        "der",
        "la",
        "le",
        "da",
        "di",
        "al",
        "el",
        "bin",
        "ibn",
        "mac",
    )
)
_TOKEN = re.compile(
    r"[^\W\d_][\w-]*(?:['\u2019](?:[a-rt-zA-Z]+))?|['\u2019]s\b|\d+|\s+|.", re.DOTALL
)
_ENDS = frozenset('.!?:;"\u201c\u201d(')
_POSSESSIVE = ("'s", "\u2019s")


@dataclass(frozen=True, slots=True)
class _Name:
    """Tokens ``start`` to ``end`` name somebody or something."""

    start: int
    end: int
    title: str
    before: str
    """The word before it."""

    def words(self, tokens: Sequence[str]) -> str:
        """What is the same each time the name comes: its first word, without the title."""
        whole = tokens[self.start : self.end]
        told = [token for token in whole if token[0].isalpha()] or whole[:1]
        return (told[1] if self.title and len(told) > 1 else told[0]).lower()


def unnamed(question: str, names: Sequence[str] = ()) -> str:
    """The question with every name replaced; the first letter stays a capital."""
    tokens = _TOKEN.findall(" ".join(question.split()))
    known = {word.lower() for name in names for word in name.split()} - _OPENERS
    told: dict[str, str] = {}
    out: list[str] = []
    at = 0
    for name in _names(tokens, known):
        out += tokens[at : name.start]
        word = name.words(tokens)
        if word not in told:
            told[word] = _stand_in(name, told)
        out.append(told[word])
        at = name.end
    text = "".join([*out, *tokens[at:]])
    return text[:1].upper() + text[1:]


def _stand_in(name: _Name, told: dict[str, str]) -> str:
    if name.title:
        return ROLES[name.title]
    if name.before in ("the", "a", "an"):
        return THING
    if name.before in _BEFORE_PLACES:
        return PLACE
    people = sum(each in _PEOPLE for each in told.values())
    return _PEOPLE[min(people, 2)]


def _names(tokens: Sequence[str], known: set[str]) -> Iterator[_Name]:
    at = 0
    while at < len(tokens):
        end = _end_of_name(tokens, at, known)
        if end == at:
            at += 1
            continue
        yield _Name(at, end, _title(tokens, at, end), _word_before(tokens, at))
        at = end


def _end_of_name(tokens: Sequence[str], at: int, known: set[str]) -> int:
    """Where the name that begins here ends; ``at``: none does."""
    if not _may_begin(tokens, at, known):
        return at
    end = at + 1
    while (following := _goes_on(tokens, end, known)) > end:
        end = following
    # A title alone is a role already: "the Captain".
    return at if _bare(tokens[at]) in ROLES and end <= at + 2 else end


def _goes_on(tokens: Sequence[str], end: int, known: set[str]) -> int:
    """Past the next word of the name; ``end``: there is none."""
    place = end + (tokens[end : end + 1] == ["."] and _bare(tokens[end - 1]) in (*ROLES, "st"))
    if tokens[place : place + 1] != [" "] or place + 1 >= len(tokens):
        return end
    word = tokens[place + 1]
    if word in _JOINED and place + 3 < len(tokens) and _is_capital(tokens[place + 3]):
        return place + 2
    return place + 2 if _is_capital(word) or word.lower() in known else end


def _may_begin(tokens: Sequence[str], at: int, known: set[str]) -> bool:
    word = tokens[at]
    if word.lower() in known:
        return True
    if not _is_capital(word):
        return False
    if not _begins_sentence(tokens, at):
        return True
    if word.lower() in _OPENERS:
        return False
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    after = tokens[at + 2] if following == " " and at + 2 < len(tokens) else ""
    is_title = word.lower() in ROLES
    return following in _POSSESSIVE or is_title or after in _AFTER_NAMES or _is_capital(after)


def _is_capital(word: str) -> bool:
    """One that a name has: not ``I``, ``TV``, ``Monday``."""
    plain = _bare(word)
    if not word[:1].isupper() or plain in _KEPT or plain.split("'")[0] in _KEPT:
        return False
    return len(word) > 1 and not word.isupper()


def _begins_sentence(tokens: Sequence[str], at: int) -> bool:
    before = [token for token in tokens[:at] if token != " "]
    return not before or before[-1] in _ENDS


def _title(tokens: Sequence[str], at: int, end: int) -> str:
    word = _bare(tokens[at])
    return word if word in ROLES and end > at + 1 else ""


def _word_before(tokens: Sequence[str], at: int) -> str:
    words = [token for token in tokens[:at] if token[0].isalpha()]
    return words[-1].lower() if words else ""


def _bare(word: str) -> str:
    return word.rstrip(".").lower().replace("\u2019", "'")
