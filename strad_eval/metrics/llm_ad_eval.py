"""LLM-AD-Eval: a language model's rating of a description beside its reference.

Source: Han et al. 2024 (AutoAD III) for 0 to 5; Xie et al. 2024 (AutoAD-Zero) for the scale from 1
that StrAD uses. Their prompts are not shipped: ours say the same in other words and have versions.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from strad_eval.judges.question import JudgeQuestion
from strad_eval.metrics.share import Share
from strad_eval.prompts.prompt import Prompt, prompt

Scale: TypeAlias = Literal["0-5", "1-5"]
ScaleReading: TypeAlias = Literal["both", "0-5", "1-5"]
"""Which of them are asked for."""
SCALES: dict[Scale, tuple[str, float, float]] = {
    "0-5": ("llm_ad_eval_0_5_v1", 0.0, 5.0),
    "1-5": ("llm_ad_eval_1_5_v1", 1.0, 5.0),
}
"""The prompt, the lowest and the highest rating."""
MAX_TOKENS = 32
FIGURE = "llm_ad_eval"

_BRACED = re.compile(r"\{[^{}]*\}")
_NAMED = re.compile(r"score(?:\W|is|of){0,9}?(-?\d+(?:\.\d+)?)", re.IGNORECASE)
_BARE = re.compile(r"[^\w-]*(-?\d+(?:\.\d+)?)(?:\s*/\s*5)?\W*")


@dataclass(frozen=True, slots=True)
class Ratings:
    """What came of a set's answers."""

    share: Share
    """Sum of ratings over rows that count."""
    unreadable: int
    """Answers without a rating in range."""


def figure_name(scale: Scale, judge: str) -> str:
    """What reports call one judge's figure on one scale."""
    return f"{FIGURE}:{scale}:{judge}"


def figure_title(name: str) -> str:
    """For people, of a ``figure_name``."""
    _, scale, judge = name.split(":", 2)
    return f"LLM-AD-Eval {scale}, {judge}"


def prompts_of(figures: Iterable[str]) -> dict[str, str]:
    """Name and hash of each prompt that those of the figures which are ours were asked with."""
    used = {name.split(":")[1] for name in figures if name.startswith(f"{FIGURE}:")}
    told = [prompt(name) for scale, (name, _, _) in SCALES.items() if scale in used]
    return {one.name: one.sha256[:16] for one in told}


def question(told: Prompt, reference: str, description: str) -> JudgeQuestion:
    """What the judge is asked of one row."""
    user = told.fill(reference=reference, description=description)
    return JudgeQuestion(told.system, user, MAX_TOKENS)


def read_rating(answer: str, scale: Scale) -> float | None:
    """The rating an answer holds; None where it holds none, or one that is off the scale."""
    _, low, high = SCALES[scale]
    for candidate in _candidates(answer):
        if low <= candidate <= high:
            return candidate
    return None


def rate(answers: Sequence[str | None], scale: Scale, *, drop_unreadable: bool = False) -> Ratings:
    """The micro-average of all rows. None is a row without a description: it scores 0.

    An unreadable answer scores 0 too, or is left out with ``drop_unreadable``.
    """
    read = [0.0 if answer is None else read_rating(answer, scale) for answer in answers]
    known = [rating for rating in read if rating is not None]
    unreadable = len(read) - len(known)
    rows = len(known) if drop_unreadable else len(read)
    return Ratings(Share(math.fsum(known), float(rows)), unreadable)


def _candidates(answer: str) -> list[float]:
    """A dictionary's ``score`` first, then "score: 4", then an answer that is a number alone."""
    found = [value for text in _BRACED.findall(answer) for value in _of_literal(text)]
    found += [float(number) for number in _NAMED.findall(answer)]
    alone = _BARE.fullmatch(answer)
    return [*found, float(alone.group(1))] if alone else found


def _of_literal(text: str) -> list[float]:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    rating = value.get("score") if isinstance(value, dict) else None
    if isinstance(rating, str):
        rating = float(rating) if re.fullmatch(r"-?\d+(?:\.\d+)?", rating.strip()) else None
    if isinstance(rating, bool) or not isinstance(rating, int | float):
        return []
    return [float(rating)]
