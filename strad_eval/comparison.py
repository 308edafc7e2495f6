"""Two reports of the same set, figure by figure, with paired bootstrap intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from strad.errors import InputError
from strad_eval.bootstrap import Difference, compare_paired
from strad_eval.metrics.share import Share
from strad_eval.reports.document import Document
from strad_eval.tally import Tally
from strad_eval.unit import Unit


def compare_documents(
    a: Document, b: Document, *, samples: int = 1000, seed: int = 0
) -> dict[str, Difference]:
    """B minus A for each figure both have.

    Raises InputError where the two were not made alike: other references, or other readings.
    """
    _same(a, b)
    ours, theirs = _tally(a, _keys(a, b)), _tally(b, _keys(a, b))
    rows = list(ours.rows_by(lambda unit: unit.video).values())
    return {
        name: compare_paired(
            rows,
            lambda drawn, name=name: ours.value(name, drawn),  # type: ignore[misc]
            lambda drawn, name=name: theirs.value(name, drawn),  # type: ignore[misc]
            samples=samples,
            seed=seed,
        )
        for name in ours.names
        if name in theirs.names
    }


def _same(a: Document, b: Document) -> None:
    if a["inputs"]["references"]["sha256"] != b["inputs"]["references"]["sha256"]:
        raise InputError("the two reports were made with other references")
    names = {**a["readings"], **b["readings"]}
    differing = [k for k in names if a["readings"].get(k) != b["readings"].get(k)]
    if differing:
        raise InputError(f"the two reports were made with other readings: {', '.join(differing)}")
    for what in ("prompts", "models"):
        ours, theirs = a.get(what, {}), b.get(what, {})
        unlike = [name for name in ours if theirs.get(name, ours[name]) != ours[name]]
        if unlike:
            raise InputError(f"the two reports were made with other {what}: {', '.join(unlike)}")


_Key = tuple[str, int]


def _keys(a: Document, b: Document) -> list[_Key]:
    """Every chunk that either has, in A's order: one may have predictions where the other not."""
    seen = [(unit["video"], unit["chunk"]) for unit in (*a["units"], *b["units"])]
    return list(dict.fromkeys(seen))


def _tally(document: Document, keys: list[_Key]) -> Tally:
    by_key = {(unit["video"], unit["chunk"]): unit for unit in document["units"]}
    units = [Unit(video, chunk, (0.0, 0.0), (), ()) for video, chunk in keys]
    first = document["units"][0]
    tally = Tally(units)
    for name, values in first["means"].items():
        blank: list[Any] = [None] * len(values)
        rows = [by_key[k]["means"][name] if k in by_key else blank for k in keys]
        tally.means[name] = np.array(rows, dtype=np.float64)
    for name in first["shares"]:
        pairs = [by_key[k]["shares"][name] if k in by_key else (0.0, 0.0) for k in keys]
        tally.shares[name] = [Share(part, whole) for part, whole in pairs]
    return tally
