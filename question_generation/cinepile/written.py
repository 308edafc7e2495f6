"""A question as a model writes it: what is wrong with it, and what it comes to. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from question_generation.language import is_english
from question_generation.options import answer_at, options_fault, plain
from strad.record import Record

OPTIONS = 5
LONGEST_QUESTION, LONGEST_OPTION = 60, 40
"""Words."""

_SOURCE = re.compile(
    r"\b(?:(?:according to|in|from|based on) the (?:given |provided )?"
    r"(?:text|transcript|annotation|summary|(?:visual |audio )?descriptions?|subtitles?)"
    r"|the narrator describes)\b",
    re.IGNORECASE,
)
_ESCAPE = re.compile(r"\b(?:all|none|both|neither) of (?:the above|these|them)\b", re.IGNORECASE)


class Written(Record):
    """A multiple-choice question with five options, one of them right."""

    question: str
    """One sentence that ends in a question mark."""
    options: list[str]
    """Five short answers, each different, without letters before them."""
    answer: str
    """The letter of the right one: A for the first, E for the last."""
    rationale: str
    """Why it is right and the others are not, in one or two sentences."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A written question that can be used, tidied."""

    question: str
    options: tuple[str, ...]
    answer: str
    """The right option's text."""
    rationale: str


def fault(written: Written) -> str:
    """What is wrong with it, the same few words for all of one fault; empty: nothing."""
    options = _options(written.options)
    return (
        _fault_of_question(tidy(written.question))
        or options_fault(options, OPTIONS)
        or answer_at(written.answer, options)[1]
        or _fault_of_options(options)
        or ("" if tidy(written.rationale) else "no rationale")
        or _fault_of_language(written, options)
    )


def settled(written: Written) -> Settled:
    """What it comes to. Raises ValueError for one with a fault."""
    wrong = fault(written)
    options = _options(written.options)
    at, _ = answer_at(written.answer, options)
    if wrong or at is None:
        raise ValueError(wrong)
    return Settled(tidy(written.question), options, options[at], tidy(written.rationale))


def _fault_of_question(question: str) -> str:
    found = (
        (not question, "no question"),
        (not question.endswith("?"), "the question does not end in a question mark"),
        (_words(question) > LONGEST_QUESTION, "the question is too long"),
        (_SOURCE.search(question) is not None, "it speaks of the text instead of the scene"),
    )
    return next((what for wrong, what in found if wrong), "")


def _fault_of_options(options: Sequence[str]) -> str:
    if any(_ESCAPE.search(one) for one in options):
        return "an option speaks of other options"
    return "an option is too long" if max(map(_words, options)) > LONGEST_OPTION else ""


def _fault_of_language(written: Written, options: Sequence[str]) -> str:
    texts = (tidy(written.question), tidy(written.rationale), " ".join(options))
    return "" if all(is_english(text) for text in texts) else "not in English"


def tidy(text: str) -> str:
    """Without markdown's marks, on one line."""
    return " ".join(re.sub(r"\*\*|__|`|^#+\s*", "", text).split())


def _options(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(one) for one in given)


def _words(text: str) -> int:
    return len(text.split())
