"""From a form that was sent to a rating, or to what it lacks."""

from __future__ import annotations

import math
from collections.abc import Mapping

from strad_eval.study.plan import Study
from strad_eval.study.ratings import Choice, Rating
from strad_eval.study.trial import Trial

LONGEST_COMMENT = 2000
_CHOICES: dict[str, Choice] = {"A": "A", "B": "B", "neither": "neither"}


def missing(study: Study, trial: Trial, sent: Mapping[str, str]) -> list[str]:
    """The names of questions without a valid answer."""
    if trial.kind == "ab":
        return [] if sent.get("preferred") in _CHOICES else ["preferred"]
    return [
        scale.id
        for scale in study.scales
        if _step(sent.get(scale.id, ""), len(scale.labels)) is None
    ]


def rating_of(
    study: Study, trial: Trial, participant: str, place: int, sent: Mapping[str, str]
) -> Rating:
    """The rating of a complete form. What the page's script adds is kept where it makes sense."""
    scales = None
    preferred = None
    if trial.kind == "ab":
        preferred = _CHOICES[sent["preferred"]]
    else:
        scales = {scale.id: int(sent[scale.id]) for scale in study.scales}
    return Rating(
        participant=participant,
        trial=trial.id,
        kind=trial.kind,
        excerpt=trial.excerpt.id,
        systems=trial.systems,
        place=place,
        scales=scales,
        preferred=preferred,
        heard=sent.get("heard") == "1",
        seconds=_seconds(sent.get("seconds", "")),
        comment=sent.get("comment", "").strip()[:LONGEST_COMMENT] or None,
    )


def _step(text: str, most: int) -> int | None:
    known = text.isascii() and text.isdigit() and len(text) <= 2
    return int(text) if known and 1 <= int(text) <= most else None


def _seconds(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and 0 <= value <= 1e6 else None
