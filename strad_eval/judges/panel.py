"""Asking a judge many questions, a bounded number at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from strad.errors import StradError, WorkError
from strad_eval.judges.answer_book import AnswerBook
from strad_eval.judges.question import Judge, JudgeQuestion

AT_ONCE = 8
TIMEOUT_S = 120.0
"""For one answer."""
TRIES = 3
"""For an error that says trying again can help, and for no answer in time."""


async def ask_all(
    questions: Sequence[JudgeQuestion],
    judge: Judge,
    book: AnswerBook,
    *,
    at_once: int = AT_ONCE,
    timeout_s: float = TIMEOUT_S,
) -> list[str]:
    """The answer to each question, from the book where it holds it, else from the judge.

    Answers are kept as they come. Raises the first error that remains after ``TRIES``; a later
    call with the same book asks only what is still open.
    """
    name = judge.name
    waiting = {q.key(name): q for q in questions if book.get(q.key(name)) is None}
    line = iter(waiting.items())
    failures: list[StradError] = []
    async with asyncio.TaskGroup() as group:
        for _ in range(min(at_once, len(waiting))):
            group.create_task(_serve(line, judge, book, timeout_s, failures))
    if failures:
        raise failures[0]
    return [book.get(question.key(name)) or "" for question in questions]


async def _serve(
    line: Iterator[tuple[str, JudgeQuestion]],
    judge: Judge,
    book: AnswerBook,
    timeout_s: float,
    failures: list[StradError],
) -> None:
    """Ask what is next in line until nothing is left or somebody has failed."""
    for key, question in line:
        if failures:
            return
        try:
            book.put(key, await _ask(question, judge, timeout_s))
        except StradError as error:
            failures.append(error)


async def _ask(question: JudgeQuestion, judge: Judge, timeout_s: float) -> str:
    for attempt in range(1, TRIES + 1):
        try:
            async with asyncio.timeout(timeout_s):
                return await judge.answer(question)
        except TimeoutError:
            if attempt == TRIES:
                raise WorkError(f"{judge.name} gave no answer in {timeout_s:.0f} s") from None
        except StradError as error:
            if attempt == TRIES or not error.retryable:
                raise
    raise AssertionError("unreachable")
