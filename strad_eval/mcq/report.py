"""Scores of one or several models side by side, as a document and as a sheet."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

from strad.counted import counted
from strad_eval.mcq.item import Item
from strad_eval.mcq.questions import Benchmark
from strad_eval.mcq.readings import McqReadings
from strad_eval.mcq.score import Accuracy, McqScore, chance
from strad_eval.mcq.tasks import TASKS
from strad_eval.reports.sheet import Cell, Grid, Sheet

SHOWN_TIMES = 100.0


@dataclasses.dataclass(frozen=True, slots=True)
class McqMade:
    """What scores were made from and with."""

    benchmark: Benchmark
    readings: McqReadings
    inputs: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, str]
    models: Mapping[str, str]


def mcq_document(
    items: Sequence[Item], scores: Sequence[McqScore], made: McqMade
) -> dict[str, Any]:
    """All of it, the verdict on each question included."""
    return {
        "strad_eval": "mcq",
        "version": 1,
        "benchmark": made.benchmark,
        "questions": len(items),
        "videos": len({item.video for item in items}),
        "chance": chance(items),
        "systems": [_system(items, one) for one in scores],
        "readings": dataclasses.asdict(made.readings),
        "models": dict(made.models),
        "versions": dict(made.versions),
        "inputs": {name: dict(value) for name, value in made.inputs.items()},
    }


def mcq_sheet(document: dict[str, Any]) -> Sheet:
    """The document for people: a column for each model or way of showing."""
    sheet = Sheet(f"strad-eval mcq: {document['benchmark']}")
    sheet.lines.append(
        f"{counted(document['questions'], 'question')} about"
        f" {counted(document['videos'], 'video')};"
        f" guessing gets {document['chance'] * SHOWN_TIMES:.1f} %"
    )
    systems = document["systems"]
    names = tuple(system["name"] for system in systems)
    sheet.grids.append(_overall(systems, names))
    breakdowns = list(dict.fromkeys(b for system in systems for b in system["groups"]))
    for breakdown in breakdowns:
        sheet.grids.append(_breakdown(breakdown, systems, names))
    sheet.odd += [line for system in systems for line in _odd(system)]
    chosen = ", ".join(f"{k}={v}" for k, v in document["readings"].items())
    sheet.small.append(f"readings: {chosen}")
    for system in systems:
        header = ", ".join(f"{k} {v}" for k, v in (system["header"] or {}).items())
        sheet.small.append(f"{system['name']}: {header or 'nothing is said of how it was made'}")
    for what in ("models", "versions"):
        if document[what]:
            listed = ", ".join(f"{name} {value}" for name, value in document[what].items())
            sheet.small.append(f"{what}: {listed}")
    return sheet


def _system(items: Sequence[Item], one: McqScore) -> dict[str, Any]:
    header = one.replies.header
    return {
        "name": one.name,
        "header": header.model_dump(exclude_unset=True, exclude={"strad", "version"})
        if header
        else None,
        "overall": _accuracy(one.overall),
        "groups": {
            breakdown: {name: _accuracy(found) for name, found in named.items()}
            for breakdown, named in one.groups.items()
        },
        "counts": one.counts,
        "unknown": one.replies.unknown,
        "texts": {name: None if math.isnan(v) else v for name, v in one.texts.items()},
        "tokens": list(one.tokens),
        "verdicts": {
            item.id: verdict.value for item, verdict in zip(items, one.verdicts, strict=True)
        },
    }


def _accuracy(found: Accuracy) -> dict[str, Any]:
    low, high = found.interval()
    defined = found.of > 0
    return {
        "accuracy": found.value if defined else None,
        "right": found.right,
        "of": found.of,
        "interval": [low, high] if defined else None,
    }


def _overall(systems: Sequence[Mapping[str, Any]], names: tuple[str, ...]) -> Grid:
    rows: list[list[Cell]] = [
        ["Accuracy, %", *(_percent(system["overall"]) for system in systems)],
        ["95 % interval", *(_interval(system["overall"]) for system in systems)],
    ]
    rows += [
        [verdict.capitalize(), *(system["counts"][verdict] for system in systems)]
        for verdict in ("right", "wrong", "unparsed", "missing")
    ]
    texts = list(dict.fromkeys(name for system in systems for name in system["texts"]))
    for name in texts:
        values = (system["texts"].get(name) for system in systems)
        rows.append([f"{name} of raw answers", *(_times(value) for value in values)])
    if any(sum(system["tokens"]) for system in systems):
        for at, what in enumerate(("Prompt", "Answer")):
            rows.append([f"{what} tokens", *(system["tokens"][at] for system in systems)])
    return Grid("All questions", ("", *names), rows)


def _breakdown(
    breakdown: str, systems: Sequence[Mapping[str, Any]], names: tuple[str, ...]
) -> Grid:
    groups = list(
        dict.fromkeys(name for system in systems for name in system["groups"].get(breakdown, {}))
    )
    rows: list[list[Cell]] = []
    for group in groups:
        found = [system["groups"].get(breakdown, {}).get(group) for system in systems]
        counts = [one["of"] for one in found if one]
        named = f"{group} {TASKS[group].name}" if breakdown == "task" and group in TASKS else group
        rows.append([named, max(counts), *(_percent(one) if one else None for one in found)])
    return Grid(f"Accuracy by {breakdown}, %", (breakdown.capitalize(), "Questions", *names), rows)


def _odd(system: Mapping[str, Any]) -> list[str]:
    counts = system["counts"]
    said = {
        "unparsed": "answers in which no choice, or more than one, was found",
        "missing": "questions without an answer",
    }
    lines = [f"{system['name']}: {counts[k]} {what}" for k, what in said.items() if counts[k]]
    if system["unknown"]:
        lines.append(f"{system['name']}: {system['unknown']} answers to no question (left out)")
    return lines


def _percent(found: Mapping[str, Any]) -> float | None:
    return _times(found["accuracy"])


def _times(value: float | None) -> float | None:
    return None if value is None else value * SHOWN_TIMES


def _interval(found: Mapping[str, Any]) -> str | None:
    if found["interval"] is None:
        return None
    low, high = (value * SHOWN_TIMES for value in found["interval"])
    return f"{low:.1f} to {high:.1f}"
