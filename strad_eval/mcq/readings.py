"""How answers are read where paper and program differ, by name (docs/metrics-questions.md)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

from strad.errors import InputError


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
    mpo: Literal["plot", "temporal"] = "plot"
    """JointAVBench: the dimension of Multi-plot Ordering: the paper's table, or its program."""
    one_word: Literal["letter", "contains"] = "letter"
    """JointAVBench: a one-word answer must be the letter, or, as its program has it, contain it."""
    durations: tuple[float, ...] = (20.0, 40.0, 60.0)
    """Where the groups by duration end, in seconds."""


def mcq_readings(changes: tuple[str, ...] = ()) -> McqReadings:
    """The defaults with ``name=value`` changes. Raises InputError for what it doesn't know."""
    chosen = McqReadings()
    for change in changes:
        name, equals, value = change.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or name not in _KINDS:
            raise InputError(f"--reading {change}: want NAME=VALUE, NAME from {', '.join(_KINDS)}")
        changed: dict[str, Any] = {name: _parse(change, _KINDS[name], value.strip())}
        chosen = dataclasses.replace(chosen, **changed)
    return chosen


_KINDS = get_type_hints(McqReadings)


def _parse(change: str, kind: object, value: str) -> object:
    if kind == tuple[float, ...]:
        try:
            numbers = tuple(float(part) for part in value.split(","))
        except ValueError as error:
            raise InputError(f"--reading {change}: {error}") from None
        if not all(a < b for a, b in zip((0.0, *numbers), numbers, strict=False)):
            raise InputError(f"--reading {change}: want rising numbers above 0")
        return numbers
    if value not in get_args(kind):
        raise InputError(f"--reading {change}: choose from {', '.join(get_args(kind))}")
    return value
