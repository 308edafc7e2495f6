"""How every report puts numbers and its first lines into words."""

from __future__ import annotations

from strad.counted import counted
from strad_eval.reports.document import Document


def shown(figure: Document) -> str:
    """The figure as tables have it; a dash where nothing defines it."""
    return shown_part(figure, figure["value"])


def shown_part(figure: Document, value: float | None) -> str:
    """One video's, genre's or threshold's value, in the same way."""
    if value is None:
        return "\u2013"
    unit = f" {figure['unit']}" if figure["unit"] else ""
    return f"{value * figure['shown_times']:.2f}{unit}"


def headline(document: Document) -> list[str]:
    """What a reader must know before the numbers."""
    counts = document["counts"]
    lines = [
        f"{document['name']}: {counted(counts['videos'], 'video')},"
        f" {counted(counts['chunks'], 'chunk')}, {counted(counts['references'], 'reference')},"
        f" {counted(counts['predictions'], 'prediction')}"
    ]
    if document["describer"]:
        lines.append(f"Describer: {document['describer']}")
    if document["draft"]:
        lines.append("Draft quality: the system itself labels these descriptions a draft.")
    if document["strad_score"]:
        lines.append("A StrAD score: the strad protocol, with its readings unchanged.")
    else:
        lines.append(f"Not a StrAD score: {_why_not(document)}.")
    return lines


def caveats(document: Document) -> list[str]:
    """What was not scored, and what was odd about the input."""
    return [*document["not_scored"], *document["doubts_said"]]


def groups(document: Document) -> dict[str, list[tuple[str, Document]]]:
    """The figures by their group, in the catalogue's order."""
    grouped: dict[str, list[tuple[str, Document]]] = {}
    for name, figure in document["figures"].items():
        grouped.setdefault(figure["group"], []).append((name, figure))
    return grouped


def _why_not(document: Document) -> str:
    if document["protocol"] != "strad":
        return "the predictions' header does not say protocol strad"
    return "a reading differs from the default"
