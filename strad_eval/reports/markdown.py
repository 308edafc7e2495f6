"""The report as Markdown, to paste where scores are discussed."""

from __future__ import annotations

from collections.abc import Iterable

from strad_eval.reports.document import Document
from strad_eval.reports.table import ARROWS, MAIN, made_with, readings_line
from strad_eval.reports.wording import caveats, groups, headline, shown, shown_part


def markdown(document: Document) -> str:
    """Figures by group, by genre and by video; caveats and readings below."""
    lines = [f"# {_cell(document['name'])}", "", *(f"{line}  " for line in headline(document))]
    for group, figures in groups(document).items():
        lines += ["", f"## {group}", ""]
        rows = ([f["title"], ARROWS[f["better"]], shown(f)] for _, f in figures)
        lines += _table(["Figure", "", "Value"], rows)
    main = [document["figures"][name] for name in MAIN if name in document["figures"]]
    for what, key in (("Genre", "by_genre"), ("Video", "by_video")):
        if main and main[0][key]:
            lines += ["", f"## By {what.lower()}", ""]
            rows = (
                [part, *(shown_part(f, f[key].get(part)) for f in main)] for part in main[0][key]
            )
            lines += _table([what, *(f["title"] for f in main)], rows)
    if caveats(document):
        lines += ["", "## Doubts", "", *(f"- {_cell(line)}" for line in caveats(document))]
    lines += ["", "## Readings", "", readings_line(document), ""]
    lines += [line for made in made_with(document) for line in (_cell(made), "")]
    return "\n".join(lines)


def _table(header: list[str], rows: Iterable[list[str]]) -> list[str]:
    ruled = ["---", *("---:" for _ in header[1:])]
    return ["| " + " | ".join(map(_cell, row)) + " |" for row in (header, ruled, *rows)]


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
