"""A study's ratings, each held against the study before it counts."""

from __future__ import annotations

from pathlib import Path

from strad.errors import FormatError, InputError
from strad.text_file import read_text
from strad_eval.inputs.numbered_lines import NumberedLines
from strad_eval.study.plan import Study
from strad_eval.study.ratings import RATINGS, Rating, RatingsHeader


def read_rated(path: Path, study: Study) -> list[Rating]:
    """The ratings of the study's excerpts; those of excerpts that it has not are left out.

    Raises InputError for another study's, FormatError with file and line for a page answered twice
    and for what the study can't have asked: other systems, scales or steps.
    """
    lines = NumberedLines(read_text(path).split("\n"))
    excerpts = {excerpt.id for excerpt in study.excerpts}
    found: dict[tuple[str, str], Rating] = {}
    for one in RATINGS.parse(lines, file=str(path)):
        if isinstance(one, RatingsHeader):
            if (one.study, one.seed) != (study.name, study.seed):
                raise InputError(f"{path}: ratings of another study, {one.study!r}")
        elif one.excerpt in excerpts:
            page = one.participant, one.trial
            wrong = "the same page is answered twice" if page in found else _wrong(one, study)
            if wrong:
                raise FormatError(wrong, file=str(path), line=lines.number)
            found[page] = one
    return list(found.values())


def _wrong(rating: Rating, study: Study) -> str:
    """What the study can't have asked; empty where it can."""
    for system in rating.systems:
        if system not in study.systems:
            return f"the study has no system {system!r}"
    if rating.kind == "ab":
        whole = len(set(rating.systems)) == 2 and rating.preferred is not None
        return "" if whole and rating.scales is None else "not a choice of two systems"
    if len(rating.systems) != 1 or rating.scales is None or rating.preferred is not None:
        return "not a rating of one system"
    steps = {scale.id: len(scale.labels) for scale in study.scales}
    for scale, value in rating.scales.items():
        if not 1 <= value <= steps.get(scale, 0):
            return f"the study has no step {value} of a scale {scale!r}"
    return ""
