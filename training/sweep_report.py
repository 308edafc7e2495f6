"""A sweep for people: a table, the loss over the rate (StrAD, figure 8), losses over the steps."""

from __future__ import annotations

import csv
import html
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from strad.counted import counted
from training.sweeping import Tried

COLUMNS = ("trial", "learning_rate", "validation_loss", "state", "evaluations")
COLOURS = {"complete": "#2a6", "pruned": "#999", "diverged": "#c33"}
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Learning rates tried</title>
<style>body{{font-family:sans-serif;margin:2em}}td,th{{padding:.2em 1em;text-align:right}}
.best{{font-weight:bold}}img{{max-width:100%}}</style>
<h1>Learning rates tried</h1>
<p>{summary}</p>
<table><tr>{head}</tr>
{rows}</table>
<p><img src="rates.png" alt="Validation loss by learning rate; the table above has the numbers.">
<img src="losses.png" alt="Validation loss by step, a line for each trial."></p>
<p>Next: <code>{command}</code></p>
</html>
"""


def write_report(folder: Path, tried: Sequence[Tried], best: Tried, command: str) -> list[Path]:
    """``trials.csv``, ``rates.png``, ``losses.png`` and ``sweep.html``; what was written."""
    rows = [_row(one) for one in tried]
    with (folder / "trials.csv").open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    _rates(tried, best).savefig(folder / "rates.png", dpi=120)
    _losses(tried).savefig(folder / "losses.png", dpi=120)
    page = PAGE.format(
        summary=html.escape(summary(tried)),
        head="".join(f"<th>{name.replace('_', ' ')}</th>" for name in COLUMNS),
        rows="".join(_html_row(one, best) for one in tried),
        command=html.escape(command),
    )
    (folder / "sweep.html").write_text(page, "utf-8")
    return [folder / name for name in ("trials.csv", "rates.png", "losses.png", "sweep.html")]


def summary(tried: Sequence[Tried]) -> str:
    """How many trials, and what became of them."""
    counts = {state: sum(one.state == state for one in tried) for state in COLOURS}
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{counted(len(tried), 'trial')}: {told}"


def _row(one: Tried) -> list[str]:
    loss = f"{one.best:.6f}" if one.losses else ""
    return [str(one.number), f"{one.rate:.3e}", loss, one.state, str(len(one.losses))]


def _html_row(one: Tried, best: Tried) -> str:
    cells = "".join(f"<td>{cell}</td>" for cell in _row(one))
    mark = ' class="best"' if one is best else ""
    return f"<tr{mark}>{cells}</tr>\n"


def _rates(tried: Sequence[Tried], best: Tried) -> Figure:
    figure = Figure(figsize=(6, 4), layout="tight")
    axes = figure.subplots()
    for state, colour in COLOURS.items():
        known = [(one.rate, one.best) for one in tried if one.state == state and one.losses]
        if known:
            axes.scatter(*zip(*known, strict=True), color=colour, label=state)
    axes.scatter([best.rate], [best.best], marker="*", s=180, color="#d80", label="best")
    axes.set(xscale="log", xlabel="learning rate", ylabel="validation loss")
    axes.legend()
    return figure


def _losses(tried: Sequence[Tried]) -> Figure:
    figure = Figure(figsize=(6, 4), layout="tight")
    axes = figure.subplots()
    for one in tried:
        if one.losses:
            axes.plot(*zip(*one.losses, strict=True), marker=".", label=f"{one.rate:.1e}")
    axes.set(xlabel="step", ylabel="validation loss")
    axes.legend(fontsize="small")
    return figure
