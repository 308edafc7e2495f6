"""Answerers of known ability: they read what they are given, and guess where that says nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from question_generation.answer_cache import AnswerCache
from question_generation.asking import Asker
from question_generation.desk import RecordDesk
from strad_engines.messages import Message
from strad_engines.scripted_engine import Line
from tests.question_generation.at_hand import answer, opened, said

Script = Callable[[Sequence[Message]], Line]

_SMALL_WORDS = """
a an and at by did do does for from had has he her his how in is it of on or she the to was were
what when where which who whose with are their they that this
"""
_SMALL = frozenset(_SMALL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Shown:
    """What a prompt shows."""

    given: list[str]
    """Lines of the scene."""
    question: str
    options: list[str]


def shown(messages: Sequence[Message]) -> Shown:
    """Read back from the words of the prompt."""
    user = said([next(one for one in messages if one.role == "user")])
    before, _, rest = user.rpartition("\n\nQuestion: ")
    question, *options = rest.split("\n")
    return Shown(
        [line.split(": ", 1)[1] for line in before.split("\n") if re.match(r"\[.* s\] ", line)],
        question,
        [re.sub(r"^[A-Z]\) ", "", one) for one in options if re.match(r"[A-Z]\) ", one)],
    )


def answerer(salt: str) -> Script:
    """Finds an option in the line that the question is about; else one that the question holds.

    Else it guesses, by ``salt`` and all that it is shown, so otherwise for each rotation.
    """

    def script(messages: Sequence[Message]) -> Line:
        found = shown(messages)
        place = _by_lines(found)
        place = _by_question(found) if place is None else place
        told = "I read it." if place is not None else "I guess."
        place = _guess(found, salt) if place is None else place
        return answer(rationale=told, answer="ABCDE"[place])

    return script


def content(text: str) -> set[str]:
    """Words that say something."""
    return {word for word in re.findall(r"[a-z0-9]+", text.lower())} - _SMALL


def _by_lines(found: Shown) -> int | None:
    about = content(found.question)
    scores = []
    for option in found.options:
        lines = [one for one in found.given if f" {option.lower()} " in f" {_flat(one)} "]
        scores.append(max((len(about & content(line)) for line in lines), default=0))
    return _only_best(scores)


def _by_question(found: Shown) -> int | None:
    about = _flat(found.question)
    return _only_best([int(f" {one.lower()} " in f" {about} ") for one in found.options])


def _only_best(scores: Sequence[int]) -> int | None:
    best = max(scores)
    return scores.index(best) if best and scores.count(best) == 1 else None


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _guess(found: Shown, salt: str) -> int:
    told = "\n".join((salt, found.question, *found.options))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:4], "big") % len(found.options)


@contextmanager
def desk(scripts: Mapping[str, Script], record: str = "r1", seed: int = 0) -> Iterator[RecordDesk]:
    """A desk with one script a role."""
    with AnswerCache() as cache:
        askers = {role: Asker(opened(one, name=role), cache) for role, one in scripts.items()}
        yield RecordDesk(seed, "test 1", record, askers)
