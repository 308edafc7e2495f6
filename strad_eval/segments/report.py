"""A segment score as a document (JSON) and as a sheet (for people)."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from strad.counted import counted
from strad_eval.metrics.llm_ad_eval import prompts_of
from strad_eval.reports.sheet import Grid, Sheet
from strad_eval.segments.score import SegmentScore

MOST_FILMS = 20
"""Rows of the table by film; the JSON has all."""


@dataclasses.dataclass(frozen=True, slots=True)
class Made:
    """What a score was made from and with."""

    what: str
    """``segment`` or ``document``."""
    compat: str
    inputs: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, str]
    models: Mapping[str, str]


def segment_document(result: SegmentScore, made: Made) -> dict[str, Any]:
    """All of it. Values are not multiplied; what has no value is None."""
    rows = result.rows
    return {
        "strad_eval": made.what,
        "version": 1,
        "name": rows.name,
        "counts": {"rows": len(rows.rows), "predictions": rows.predicted, "paired": rows.paired},
        "figures": {
            name: {
                "title": figure.title,
                "value": _number(figure.value),
                "shown_times": figure.shown,
                "rows": figure.rows,
                "by_film": {film: _number(value) for film, value in figure.by_film.items()},
            }
            for name, figure in result.figures.items()
        },
        "not_scored": list(result.not_scored),
        "odd": dict(rows.odd),
        "compat": made.compat,
        "readings": dataclasses.asdict(result.readings),
        "prompts": prompts_of(result.figures),
        "models": dict(made.models),
        "versions": dict(made.versions),
        "inputs": {name: dict(value) for name, value in made.inputs.items()},
        "rows": [_row(result, at) for at in range(len(rows.rows))],
    }


def segment_sheet(document: dict[str, Any]) -> Sheet:
    """The document for people."""
    counts = document["counts"]
    sheet = Sheet(f"{document['name']}: strad-eval {document['strad_eval']}")
    sheet.lines.append(
        f"{counted(counts['rows'], 'reference')}, {counted(counts['predictions'], 'prediction')},"
        f" {counts['paired']} of them paired"
    )
    figures = document["figures"].values()
    sheet.grids.append(
        Grid("Figures", ("Figure", "Value", "Over"), [_figure(figure) for figure in figures])
    )
    sheet.grids += _by_film(document)
    sheet.odd += document["not_scored"]
    sheet.odd += [f"{times} {what}" for what, times in document["odd"].items()]
    chosen = ", ".join(f"{k}={_plain(v)}" for k, v in document["readings"].items())
    sheet.small.append(f"readings (--compat {document['compat']}): {chosen}")
    for what in ("prompts", "models", "versions"):
        if document[what]:
            listed = ", ".join(f"{name} {value}" for name, value in document[what].items())
            sheet.small.append(f"{what}: {listed}")
    return sheet


def _figure(figure: Mapping[str, Any]) -> list[str | float | int | None]:
    value = figure["value"]
    shown = None if value is None else value * figure["shown_times"]
    return [figure["title"], shown, figure["rows"]]


def _by_film(document: dict[str, Any]) -> list[Grid]:
    figures = [figure for figure in document["figures"].values() if figure["by_film"]]
    films = list(dict.fromkeys(film for figure in figures for film in figure["by_film"]))
    if not 1 < len(films) <= MOST_FILMS:
        return []
    rows: list[list[str | float | int | None]] = []
    for film in films:
        values = [(figure["by_film"].get(film), figure["shown_times"]) for figure in figures]
        rows.append([film, *(None if v is None else v * times for v, times in values)])
    return [Grid("By film", ("Film", *(figure["title"] for figure in figures)), rows)]


def _row(result: SegmentScore, at: int) -> dict[str, Any]:
    row = result.rows.rows[at]
    return {
        "film": row.film,
        "clip": row.clip,
        "start": row.reference.start,
        "end": row.reference.end,
        "reference": row.reference.text,
        "description": row.description,
        **{name: values[at] for name, values in result.per_row.items()},
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _plain(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
