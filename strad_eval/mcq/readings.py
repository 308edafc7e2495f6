"""How answers are read where paper and program differ, by name (docs/metrics-questions.md)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from strad.errors import InputError
from strad_eval.named_choices import changed


@dataclass(frozen=True, slots=True)
class McqReadings:
    """One way to score."""

    rescue: Literal["on", "off"] = "on"
    """CinePile: an answer without a letter counts if it mentions one option and no other."""
    unparsed: Literal["wrong", "drop"] = "wrong"
    """An answer in which no choice is found; JointAVBench's program drops it."""
    missing: Literal["wrong", "drop"] = "wrong"
    """A question without an answer."""
    unknown: Literal["refuse", "ignore"] = "refuse"
    """An answer to a question that is not there."""
    thinking: Literal["strip", "keep"] = "strip"
    """What a model thought aloud before its answer, in ``<think>`` tags."""
    mpo: Literal["plot", "temporal"] = "plot"
    """JointAVBench: the dimension of Multi-plot Ordering: the paper's table, or its program."""
    one_word: Literal["letter", "contains"] = "letter"
    """JointAVBench: a one-word answer must be the letter, or, as its program has it, contain it."""
    durations: tuple[float, ...] = (20.0, 40.0, 60.0)
    """Where the groups by duration end, in seconds."""


def mcq_readings(changes: tuple[str, ...] = ()) -> McqReadings:
    """The defaults with ``name=value`` changes. Raises InputError for what it doesn't know."""
    chosen = changed(McqReadings(), changes)
    if any(a >= b for a, b in pairwise((0.0, *chosen.durations))):
        raise InputError("durations must rise from above 0")
    return chosen
