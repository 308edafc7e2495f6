"""The report on a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from strad_eval.reports.document import Document
from strad_eval.reports.wording import caveats, groups, headline, shown, shown_part

ARROWS = {"higher": "\u2191", "lower": "\u2193", "near one": "\u2192 1", "neither": ""}


def print_table(document: Document, console: Console, *, by_video: bool = False) -> None:
    """Figures by group, with thresholds and genres; caveats and readings below."""
    for line in headline(document):
        console.print(escape(line))
    for group, figures in groups(document).items():
        console.print(_group(group, figures))
    if by_video:
        console.print(_parts("Video", "by_video", document))
    if any(figure["by_genre"] for figure in document["figures"].values()):
        console.print(_parts("Genre", "by_genre", document))
    for line in caveats(document):
        console.print(f"[yellow]![/] {escape(line)}")
    console.print(escape(readings_line(document)), style="dim")
    for line in made_with(document):
        console.print(escape(line), style="dim")


def made_with(document: Document) -> list[str]:
    """Prompts and models, where any took part, and versions."""
    return [
        f"{what}: " + ", ".join(f"{name} {value}" for name, value in document[what].items())
        for what in ("prompts", "models", "versions")
        if document[what]
    ]


def readings_line(document: Document) -> str:
    """Every reading by name."""
    chosen = ", ".join(f"{name}={_plain(value)}" for name, value in document["readings"].items())
    return f"readings (--compat {document['compat']}): {chosen}"


def _plain(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)


def _group(group: str, figures: list[tuple[str, Document]]) -> Table:
    table = Table(title=group, title_justify="left", title_style="bold")
    table.add_column("Figure")
    table.add_column("")
    table.add_column("Value", justify="right")
    thresholds = next((list(f["by_threshold"]) for _, f in figures if "by_threshold" in f), [])
    for threshold in thresholds:
        table.add_column(f"@{threshold}", justify="right")
    for _, figure in figures:
        at = figure.get("by_threshold", {})
        parts = [shown_part(figure, at[t]) if t in at else "" for t in thresholds]
        table.add_row(escape(figure["title"]), ARROWS[figure["better"]], shown(figure), *parts)
    return table


MAIN = ("soda", "cider", "meteor", "recall", "precision", "rep", "ol", "rtf", "lag")


def _parts(what: str, key: str, document: Document) -> Table:
    table = Table(title=f"By {what.lower()}", title_justify="left", title_style="bold")
    table.add_column(what)
    figures = {n: document["figures"][n] for n in MAIN if n in document["figures"]}
    for figure in figures.values():
        table.add_column(figure["title"], justify="right")
    for part in next(iter(figures.values()))[key]:
        row = [shown_part(figure, figure[key].get(part)) for figure in figures.values()]
        table.add_row(escape(part), *row)
    return table
