"""Why no example can be made of films, as the one line that ends a run. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from training.budget import Shares
from training.example import Kind
from training.preparing.plan import FilmPlan

ALONE = ", or --no-streaming for segments alone"
WINDOWS = {Kind.AD, Kind.WAIT}


def why_nothing(plans: Sequence[FilmPlan], shares: Shares, skipped: str) -> str:
    """``shares``: of the kinds that are wanted. ``skipped``: what was passed over, in one line."""
    train = [plan for plan in plans if plan.split == "train"]
    there = {kind for plan in train for _, kind in plan.kinds()}
    if not plans:
        return f"no film can be used: {skipped}"
    if not train:
        return "all films are held out for validation, and none is left to train on"
    if shares.keys() & WINDOWS and not there & WINDOWS:
        alone = ALONE if Kind.SEGMENT in there else ""
        return f"no window of a stream can be made, {_why_no_window(train)}{alone}"
    if not there & shares.keys():
        return "there is nothing to train on: no description lies within a film"
    told = ", ".join(sorted(kind.value for kind in there))
    return f"too little for the shares of the sample budget: there is {told} to train on"


def _why_no_window(train: Sequence[FilmPlan]) -> str:
    heard = [plan for plan in train if plan.material.streams]
    passed = sum((Counter(plan.passed) for plan in heard), Counter[str]())
    spoken, unsure = passed["no-gap"], passed["passed-over"]
    if not heard:
        return "for want of transcripts or of whole films: give --captions or --listen"
    if not spoken + unsure:
        return "for the films are too short: give longer ones"
    if spoken < unsure:
        return "for descriptions that were passed over lie too near: mend those"
    return (
        f"for want of gaps: at {spoken} of {spoken + unsure} moments there is no room between what"
        " is said; give films that have gaps"
    )
