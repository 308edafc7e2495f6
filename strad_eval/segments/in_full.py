"""A document's own figures: how well the pairs fit in time, and stream's over whole videos."""

from __future__ import annotations

from typing import Any

from strad_eval.scoring import Choice, Files, score_files
from strad_eval.segments.files import SegmentFiles

FROM_STREAM = ("soda", "soda_d", "cider", "meteor", "recall", "precision", "rep", "ol")
WHOLE = ("chunk_s=0",)


def add_stream_figures(document: dict[str, Any], files: SegmentFiles) -> None:
    """Put what stream says of whole videos (its defaults, but no chunks) beside the pairs' figures.

    They are named ``stream:...``: their pairs are densevid's, not one to one.
    """
    predictions = files.predictions or files.references
    choice = Choice("strad", (*WHOLE, f"unknown_ids={document['readings']['unknown']}"))
    result, streamed = score_files(Files(files.references, predictions), choice)
    counts = document["counts"]
    made = {
        "paired_references": (
            "References with a prediction",
            counts["paired"],
            max(1, sum(len(p.references) for p in result.material.programmes)),
        ),
        "paired_predictions": (
            "Predictions with a reference",
            counts["paired"],
            max(1, counts["predictions"]),
        ),
    }
    for name, (title, part, whole) in made.items():
        document["figures"][name] = _figure(title, part / whole, 100.0, whole)
    for name in FROM_STREAM:
        if name in streamed["figures"]:
            figure = streamed["figures"][name]
            title = f"{figure['title']} (stream, whole videos)"
            document["figures"][f"stream:{name}"] = _figure(
                title, figure["value"], figure["shown_times"], counts["rows"]
            )


def _figure(title: str, value: float | None, shown: float, rows: int) -> dict[str, Any]:
    return {"title": title, "value": value, "shown_times": shown, "rows": rows, "by_film": {}}
