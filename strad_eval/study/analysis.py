"""Ratings against metrics: which metric follows what people say, how far, how surely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from strad.counted import counted
from strad_eval.catalogue import CATALOGUE
from strad_eval.mcq.score import Accuracy
from strad_eval.reports.sheet import Cell, Grid, Sheet
from strad_eval.study.agreement import alpha
from strad_eval.study.correlation import MEASURES, estimate
from strad_eval.study.plan import Study
from strad_eval.study.points import Opinions, Values

FEWEST = 3
"""Points below which a correlation says nothing."""


def analyse(
    study: Study, said: Opinions, values: Mapping[str, Values], *, samples: int, seed: int
) -> dict[str, Any]:
    """The document: each scale, each metric against it, and against the choices of A or B.

    A metric that is best near 1 is held against them by how near it comes.
    """
    values, still = _telling(values)
    return {
        "strad_eval": "correlate",
        "version": 1,
        "study": study.name,
        "participants": said.participants,
        "systems": list(study.systems),
        "excerpts": len(study.excerpts),
        "samples": samples,
        "seed": seed,
        "scales": {
            scale: _scale(said, scale, values, samples, seed) for scale in sorted(said.ratings)
        },
        "wins": _wins(study, said),
        "undecided": said.undecided,
        "never_differ": still,
        "choices": {
            name: _agreement(one, said.choices, _sign(name)) for name, one in values.items()
        }
        if said.choices
        else {},
    }


def analysis_sheet(document: dict[str, Any]) -> Sheet:
    """The document for people."""
    sheet = Sheet(f"strad-eval correlate: {document['study']}")
    sheet.lines.append(
        f"{counted(document['participants'], 'participant')},"
        f" {counted(document['excerpts'], 'excerpt')},"
        f" systems: {', '.join(document['systems'])}"
    )
    for scale, one in document["scales"].items():
        sheet.grids.append(_scale_grid(scale, one))
    for scale, one in document["scales"].items():
        sheet.grids.append(_metrics_grid(scale, one))
    if document["wins"]:
        sheet.grids.append(_wins_grid(document))
    if document["choices"]:
        sheet.grids.append(_choices_grid(document))
    if document["never_differ"]:
        listed = ", ".join(_title(name) for name in document["never_differ"])
        sheet.odd.append(f"the same everywhere, so nothing can be said of them: {listed}")
    sheet.small.append(
        f"95 % intervals: {document['samples']} bootstrap samples over excerpts, seed"
        f" {document['seed']}. A metric for which lower is better should go against the ratings."
    )
    return sheet


def _telling(values: Mapping[str, Values]) -> tuple[dict[str, Values], list[str]]:
    """The metrics that differ at all, and the names of those that never do."""
    found: dict[str, Values] = {}
    still = []
    for name, one in values.items():
        if len(set(one.values())) < 2:
            still.append(name)
        elif name in CATALOGUE and CATALOGUE[name].better == "near one":
            found[name] = {point: -abs(value - 1.0) for point, value in one.items()}
        else:
            found[name] = one
    return found, still


def _scale(
    said: Opinions, scale: str, values: Mapping[str, Values], samples: int, seed: int
) -> dict[str, Any]:
    means = said.means(scale)
    by_system: dict[str, list[float]] = {}
    for (system, _), rating in means.items():
        by_system.setdefault(system, []).append(rating)
    return {
        "ratings": sum(len(one) for one in said.ratings[scale].values()),
        "agreement": _none(alpha(said.ratings[scale].values())),
        "systems": {system: math.fsum(one) / len(one) for system, one in sorted(by_system.items())},
        "metrics": {name: _against(one, means, samples, seed) for name, one in values.items()},
    }


def _against(metric: Values, means: Values, samples: int, seed: int) -> dict[str, Any]:
    """The three correlations over the points that have both."""
    points = sorted(point for point in means if point in metric)
    found: dict[str, Any] = {"points": len(points)}
    if len(points) < FEWEST:
        return found
    x = np.array([metric[point] for point in points])
    y = np.array([means[point] for point in points])
    excerpts = [excerpt for _, excerpt in points]
    for name, measure in MEASURES.items():
        one = estimate(measure, x, y, excerpts, samples=samples, seed=seed)
        found[name] = {
            k: _none(v) for k, v in zip(("value", "low", "high"), _parts(one), strict=True)
        }
    return found


def _parts(one: Any) -> tuple[float, float, float]:  # noqa: ANN401 an Estimate
    return one.value, one.low, one.high


def _wins(study: Study, said: Opinions) -> dict[str, dict[str, int]]:
    found = {system: {"preferred": 0, "of": 0} for system in study.systems}
    for _, winner, loser in said.choices:
        found[winner]["preferred"] += 1
        for system in (winner, loser):
            found[system]["of"] += 1
    return found if said.choices else {}


def _agreement(
    metric: Values, choices: Sequence[tuple[str, str, str]], sign: int
) -> dict[str, Any]:
    """In how many decided choices the metric prefers what was preferred. Its ties are left out."""
    right = of = 0
    for excerpt, winner, loser in choices:
        pair = metric.get((winner, excerpt)), metric.get((loser, excerpt))
        if pair[0] is not None and pair[1] is not None and pair[0] != pair[1]:
            of += 1
            right += sign * pair[0] > sign * pair[1]
    low, high = Accuracy(right, of).interval()
    return {"agree": right, "of": of, "low": _none(low), "high": _none(high)}


def _sign(name: str) -> int:
    return -1 if name in CATALOGUE and CATALOGUE[name].better == "lower" else 1


def _none(value: float) -> float | None:
    return None if math.isnan(value) else value


def _title(name: str) -> str:
    arrows = {"higher": " \u2191", "lower": " \u2193", "near one": ": nearness to 1 \u2191"}
    entry = CATALOGUE.get(name)
    return f"{entry.title}{arrows.get(entry.better, '')}" if entry else name


def _scale_grid(scale: str, one: Mapping[str, Any]) -> Grid:
    rows: list[list[Cell]] = [[system, mean] for system, mean in one["systems"].items()]
    rows.append(["Ratings", one["ratings"]])
    rows.append(["Agreement (Krippendorff's alpha)", one["agreement"]])
    return Grid(f"Scale {scale}: mean rating", ("System", "Mean"), rows)


def _metrics_grid(scale: str, one: Mapping[str, Any]) -> Grid:
    rows: list[list[Cell]] = []
    for name, found in one["metrics"].items():
        cells = [_interval(found.get(measure)) for measure in MEASURES]
        rows.append([_title(name), found["points"], *cells])
    header = ("Metric", "Points", *(name.capitalize() for name in MEASURES))
    return Grid(f"Metrics against scale {scale}", header, rows)


def _interval(found: Mapping[str, float | None] | None) -> str | None:
    if found is None or found["value"] is None:
        return None
    if found["low"] is None or found["high"] is None:
        return f"{found['value']:.2f}"
    return f"{found['value']:.2f} ({found['low']:.2f} to {found['high']:.2f})"


def _wins_grid(document: Mapping[str, Any]) -> Grid:
    rows: list[list[Cell]] = [
        [system, one["preferred"], one["of"]] for system, one in document["wins"].items()
    ]
    rows.append(["No difference", document["undecided"], None])
    return Grid("Preferred, of decided comparisons", ("System", "Preferred", "Of"), rows)


def _choices_grid(document: Mapping[str, Any]) -> Grid:
    rows: list[list[Cell]] = []
    for name, one in document["choices"].items():
        share = one["agree"] / one["of"] * 100 if one["of"] else None
        span = None if one["low"] is None else f"{one['low']:.0%} to {one['high']:.0%}"
        rows.append([_title(name), share, span, one["of"]])
    header = ("Metric", "Agrees, %", "95 %", "Choices")
    return Grid("Metrics against choices", header, rows)
