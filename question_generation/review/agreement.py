"""How far reviewers agree: Krippendorff's alpha, nominal for yes and no, interval for difficulty.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011: 1 less the disagreement seen
over the one expected, from the table of coincidences.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from question_generation.review.reviews import Review
from strad_eval.study.agreement import alpha as interval_alpha

QUESTIONS = ("answer", "information", "av_dependency", "verdict")


def nominal_alpha(units: Iterable[Sequence[str]]) -> float:
    """``units``: the words that each thing was given.

    NaN where nothing was judged twice, or everybody said the same of everything.
    """
    rated = [unit for unit in units if len(unit) > 1]
    totals = Counter(value for unit in rated for value in unit)
    pairs = totals.total()
    if not pairs:
        return math.nan
    seen = 0.0
    for unit in rated:
        counts = Counter(unit)
        differing = len(unit) ** 2 - sum(many * many for many in counts.values())
        seen += differing / (len(unit) - 1)
    expected = (pairs**2 - sum(many * many for many in totals.values())) / (pairs - 1)
    return 1 - seen / expected if expected else math.nan


def agreement(reviews: Sequence[Review]) -> dict[str, Any]:
    """Alpha for each question, shares of what was said, and how many looked at how much."""
    of_item: dict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        of_item[review.item].append(review)
    told: dict[str, Any] = {
        "reviews": len(reviews),
        "items": len(of_item),
        "raters": len({review.rater for review in reviews}),
        "items_with_two_or_more": sum(len(said) > 1 for said in of_item.values()),
    }
    alphas = {
        name: nominal_alpha([str(getattr(one, name)) for one in said] for said in of_item.values())
        for name in QUESTIONS
    }
    alphas["difficulty"] = interval_alpha(
        [float(one.difficulty) for one in said] for said in of_item.values()
    )
    told["alpha"] = {n: None if math.isnan(v) else round(v, 4) for n, v in alphas.items()}
    told["said"] = {
        name: dict(sorted(Counter(str(getattr(one, name)) for one in reviews).items()))
        for name in (*QUESTIONS, "difficulty")
    }
    return told
