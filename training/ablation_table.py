"""The ablation's one table: a variant a row, strad-eval's figures as columns. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from strad_eval.catalogue import CATALOGUE

OF_STREAMS = (
    "soda",
    "soda_d",
    "cider",
    "meteor",
    "rouge_l",
    "recall",
    "precision",
    "rep",
    "ol",
    "rtf",
    "lag",
)
"""What of a report is shown, where it was scored."""
OF_SAMPLES = {
    "validation_loss": "Validation loss",
    "segment_cider": "Segment CIDEr",
    "wait_f1": "WAIT F1",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One variant's figures, by name; what was not scored is not in it."""

    variant: str
    figures: Mapping[str, float]


def as_csv(rows: Sequence[Row]) -> str:
    """Names as strad-eval has them, values as they are."""
    out = io.StringIO()
    names = _names(rows)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["variant", *names])
    for row in rows:
        writer.writerow([row.variant, *(_plain(row.figures.get(name)) for name in names)])
    return out.getvalue()


def as_markdown(rows: Sequence[Row]) -> str:
    """Titles, and values as the papers print them."""
    names = _names(rows)
    titles = ["Variant", *(_title(name) for name in names)]
    lines = [titles, ["---", *("---:" for _ in names)]]
    lines += [
        [row.variant, *(_shown(name, row.figures.get(name)) for name in names)] for row in rows
    ]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _names(rows: Sequence[Row]) -> list[str]:
    known = {name for row in rows for name in row.figures}
    return [name for name in (*OF_SAMPLES, *OF_STREAMS) if name in known]


def _title(name: str) -> str:
    if name in OF_SAMPLES:
        return OF_SAMPLES[name]
    unit = CATALOGUE[name].unit
    return f"{CATALOGUE[name].title} ({unit})" if unit else CATALOGUE[name].title


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _shown(name: str, value: float | None) -> str:
    if value is None:
        return ""
    if name in CATALOGUE:
        return f"{value * CATALOGUE[name].shown:.1f}"
    return f"{value:.3f}"
