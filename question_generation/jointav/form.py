"""Whether a question and its answer have the form that they must, seen without any model. Pure."""

from __future__ import annotations

import re

from question_generation.jointav.sequence import LABELS, labels_in, plain
from question_generation.jointav.tasks import Task
from question_generation.language import is_english

MOST_QUESTION, MOST_ANSWER, MOST_EXPLANATION = 600, 400, 2_000
"""Characters."""
_MARKUP = re.compile(r"```|\*\*|^#{1,6} |</?\w+>|\[(?:question|answer|explanation)\]", re.I | re.M)
_UNAVAILABLE = re.compile(r"\bunavailable\b|^\W*n/?a\W*$", re.I)
_SEGMENTS = re.compile(
    r"^\W*segment\s*#?(\d{1,6})(?:\s*(?:to|-)\s*(?:segment\s*#?)?(\d{1,6}))?\W*$", re.I
)


def fault(task: Task, question: str, answer: str, explanation: str) -> str:
    """What is wrong with it, in words that a model is told and that are counted; empty: nothing."""
    if _UNAVAILABLE.search(question) or _UNAVAILABLE.search(answer):
        return "nothing to ask"
    if not question.strip() or not answer.strip() or not explanation.strip():
        return "a text is empty"
    if "?" not in question:
        return "not a question"
    if over := _over(question, answer, explanation):
        return over
    if any(_MARKUP.search(text) for text in (question, answer)):
        return "markup in the text"
    if not all(english(text) for text in (question, answer)):
        return "not in English"
    return (
        _order_fault(question, answer) if task.is_order else _answer_fault(task, question, answer)
    )


def english(text: str) -> bool:
    """Whether there are words in it, of English as far as can be told."""
    return any(c.isalpha() for c in text) and is_english(text)


def stretch_of(answer: str) -> tuple[int, int] | None:
    """The segments that an answer is: ``Segment 3 to Segment 5``."""
    found = _SEGMENTS.match(answer)
    if found is None:
        return None
    first = int(found[1])
    last = int(found[2] or first)
    return (first, last) if first <= last else None


def _over(question: str, answer: str, explanation: str) -> str:
    limits = ((question, MOST_QUESTION), (answer, MOST_ANSWER), (explanation, MOST_EXPLANATION))
    return "a text is too long" if any(len(text) > most for text, most in limits) else ""


def _order_fault(question: str, answer: str) -> str:
    asked = labels_in(question)
    if any(label not in asked for label in LABELS) or set(asked) - set(LABELS):
        return "the question does not name (a), (b) and (c)"
    if sorted(labels_in(answer)) != sorted(LABELS):
        return "the answer is no order of (a), (b) and (c)"
    return ""


def _answer_fault(task: Task, question: str, answer: str) -> str:
    if task.code == "PTG":
        return "" if stretch_of(answer) else "the answer names no segments"
    if plain(answer) and plain(answer) in plain(question):
        return "the answer stands in the question"
    return ""
