"""A plain report: a few lines, some tables, what was odd; on a terminal or as Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.table import Table

Cell = str | float | int | None
"""Numbers are shown with two decimals, counts without, what is not defined as a dash."""


@dataclass(frozen=True, slots=True)
class Grid:
    """One table; its first column holds names."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]


@dataclass(slots=True)
class Sheet:
    """One report."""

    title: str
    lines: list[str] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    """What a reader must know to believe the numbers."""
    small: list[str] = field(default_factory=list)
    """Readings, versions, models."""


def print_sheet(sheet: Sheet, console: Console) -> None:
    """On a terminal."""
    console.print(escape(sheet.title), style="bold")
    for line in sheet.lines:
        console.print(escape(line))
    for grid in sheet.grids:
        table = Table(title=escape(grid.title), title_justify="left", title_style="bold")
        for at, name in enumerate(grid.header):
            table.add_column(escape(name), justify="right" if at else "left")
        for row in grid.rows:
            table.add_row(*(escape(shown(cell)) for cell in row))
        console.print(table)
    for line in sheet.odd:
        console.print(f"[yellow]![/] {escape(line)}")
    for line in sheet.small:
        console.print(escape(line), style="dim")


def markdown_sheet(sheet: Sheet) -> str:
    """To paste where scores are discussed."""
    lines = [f"# {_cell(sheet.title)}", "", *(f"{_cell(line)}  " for line in sheet.lines)]
    for grid in sheet.grids:
        ruled = ["---", *("---:" for _ in grid.header[1:])]
        rows = [list(grid.header), ruled, *([shown(cell) for cell in row] for row in grid.rows)]
        lines += ["", f"## {_cell(grid.title)}", ""]
        lines += ["| " + " | ".join(map(_cell, row)) + " |" for row in rows]
    if sheet.odd:
        lines += ["", "## Doubts", "", *(f"- {_cell(line)}" for line in sheet.odd)]
    return "\n".join([*lines, "", *(f"{_cell(line)}  " for line in sheet.small), ""])


def shown(cell: Cell) -> str:
    """One cell as text."""
    match cell:
        case None:
            return "\u2013"
        case float():
            return "\u2013" if math.isnan(cell) else f"{cell:.2f}"
        case _:
            return str(cell)


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
