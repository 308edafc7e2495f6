"""The tables of docs/settings.md, made from the settings' dataclasses and their docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from service import settings
from service.configuration import configure, places

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
TABLES = "## At the top\n"
"""Where the tables begin; what is above them is written by hand."""


def settings_page() -> str:
    """The whole page, with the tables as they must be."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(TABLES)[0]
    return by_hand + "\n".join(_tables()) + "\n"


def _tables() -> Iterator[str]:
    meanings = dict(_meanings())
    kinds = {field.name: type(field.default).__name__ for field in fields(settings.Settings)}
    lines = [line.partition("  #")[0].partition(" = ") for line in configure().lines()]
    defaults = iter([value for _, equals, value in lines if equals])
    table: str | None = None
    for place in places():
        if place.table != table:
            table = place.table
            yield f"\n## `[{table}]`\n" if table else TABLES
            yield "| setting | variable | default | meaning |\n|---|---|---|---|"
        meaning = meanings.get((kinds.get(table, "Settings"), place.field.name), "")
        yield f"| `{place.name}` | `{place.variable}` | `{next(defaults)}` | {meaning} |"


def _meanings() -> Iterator[tuple[tuple[str, str], str]]:
    """The docstring under each field, by its class and name."""
    for kind in ast.parse(inspect.getsource(settings)).body:
        if not isinstance(kind, ast.ClassDef):
            continue
        for field, below in zip(kind.body, kind.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                text = ast.literal_eval(below.value)
                name = ast.unparse(field.target)
                yield (kind.name, name), " ".join(text.split()).replace("``", "`")
