"""What the films of a data set hold: hours, descriptions, speech. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strad.speech import count_words
from strad.timeline import Ms, covered
from training.dataset import SPLITS
from training.preparing.plan import FilmPlan

HOUR: Ms = 3_600_000


def statistics(plans: Sequence[FilmPlan]) -> dict[str, dict[str, Any]]:
    """By split: files and hours, descriptions and how long they are, shares of the time taken."""
    return {split: _of([plan for plan in plans if plan.split == split]) for split in SPLITS}


def _of(plans: Sequence[FilmPlan]) -> dict[str, Any]:
    events = [event for plan in plans for event in plan.material.events]
    whole = max(1, sum(plan.length for plan in plans))
    described = sum(covered(e.when for e in plan.material.events) for plan in plans)
    spoken = sum(covered(w.when for w in plan.material.words) for plan in plans)
    return {
        "files": len(plans),
        "hours": round(sum(plan.length for plan in plans) / HOUR, 3),
        "descriptions": len(events),
        "seconds_mean": _mean([event.when.duration / 1000 for event in events]),
        "words_mean": _mean([count_words(event.text) for event in events]),
        "described_share": round(described / whole, 4),
        "spoken_share": round(spoken / whole, 4),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 2) if values else 0.0
