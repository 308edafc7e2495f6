"""``strad-eval compare``: two systems on the same set, with how sure the difference is."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from strad.text_file import refuse_output, write_text
from strad_eval.bootstrap import Difference
from strad_eval.catalogue import entry, in_order
from strad_eval.cli.options import Force
from strad_eval.comparison import compare_documents
from strad_eval.reports.document import load

_Report = Annotated[Path, typer.Argument(help="A report that stream wrote with --json.")]


def compare(
    a: _Report,
    b: _Report,
    samples: Annotated[int, typer.Option(min=100, max=100_000, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of the draws.")] = 0,
    json_to: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write it as JSON.")
    ] = None,
    force: Force = False,
) -> None:
    """Show B minus A for every figure, with 95 % intervals from a paired bootstrap over videos.

    Both reports must be of the same references and readings. With few videos the intervals are
    wide, and rightly so.
    """
    if json_to is not None:
        refuse_output(json_to, overwrite=force, option="--force")
    found = compare_documents(load(a), load(b), samples=samples, seed=seed)
    if json_to is not None:
        write_text(json_to, _json(found, samples, seed), overwrite=force)
    Console().print(_table(found, str(a), str(b)))


def _table(found: dict[str, Difference], a: str, b: str) -> Table:
    table = Table(title=f"A = {escape(a)}, B = {escape(b)}", title_justify="left")
    for column in ("Figure", "A", "B", "B - A", "95 % interval", ""):
        table.add_column(column, justify="left" if column in ("Figure", "") else "right")
    for name in in_order(found):
        about, one = entry(name), found[name]
        a_, b_, gap, low, high = (
            "\u2013" if math.isnan(v) else f"{v * about.shown:.2f}"
            for v in (one.a, one.b, one.difference, one.low, one.high)
        )
        said = _verdict(one, about.better)
        interval = low if math.isnan(one.low) else f"{low} to {high}"
        table.add_row(escape(about.title), a_, b_, gap, interval, said)
    return table


def _verdict(one: Difference, better: str) -> str:
    if math.isnan(one.low):
        return "too few videos"
    if not one.clear:
        return "no clear difference"
    if better not in ("higher", "lower"):
        return "differs"
    return "B better" if (one.low > 0) == (better == "higher") else "A better"


def _json(found: dict[str, Difference], samples: int, seed: int) -> str:
    figures = {}
    for name, one in found.items():
        values = {**dataclasses.asdict(one), "difference": one.difference}
        figures[name] = {k: None if math.isnan(v) else v for k, v in values.items()}
    document = {"strad_eval": "compare", "version": 1, "samples": samples, "seed": seed}
    return json.dumps({**document, "figures": figures}, indent=1) + "\n"
