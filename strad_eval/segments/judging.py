"""LLM-AD-Eval's questions, put to a judge."""

from __future__ import annotations

from collections.abc import Sequence

from strad_eval.judges.answer_book import AnswerBook
from strad_eval.judges.panel import AT_ONCE, ask_all
from strad_eval.judges.question import Judge
from strad_eval.metrics.llm_ad_eval import SCALES, Scale, ScaleReading, question
from strad_eval.prompts.prompt import prompt
from strad_eval.segments.instruments import Judged
from strad_eval.segments.row import Row


def scales(reading: ScaleReading) -> tuple[Scale, ...]:
    """The scales that the reading asks for."""
    return tuple(scale for scale in SCALES if reading in ("both", scale))


async def judge_rows(
    rows: Sequence[Row], scale: Scale, judge: Judge, book: AnswerBook, *, at_once: int = AT_ONCE
) -> Judged:
    """The judge's answer for each row with words in it; none is asked of the others."""
    told = prompt(SCALES[scale][0])
    asked = [row for row in rows if not row.empty]
    questions = [question(told, row.reference.text, row.description) for row in asked]
    answers = iter(await ask_all(questions, judge, book, at_once=at_once))
    listed = [None if row.empty else next(answers) for row in rows]
    return Judged(judge.name, scale, listed)
