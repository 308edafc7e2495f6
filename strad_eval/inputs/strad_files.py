"""Our own formats: manifest, predictions and efficiency log, with the line of each record."""

from __future__ import annotations

from pathlib import Path

from strad.efficiency import EFFICIENCY, WindowLog
from strad.manifest import read_manifest
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.text_file import read_text
from strad_eval.inputs.content import Content, Options
from strad_eval.inputs.numbered_lines import NumberedLines, file_lines


def read_manifest_file(path: Path, _options: Options) -> Content:
    """A manifest: the references."""
    return Content(manifest=read_manifest(read_text(path), file=str(path)))


def read_predictions_file(path: Path, _options: Options) -> Content:
    """Predictions JSONL."""
    lines = NumberedLines(file_lines(path))
    found: list[tuple[int, Prediction]] = []
    header = None
    for item in PREDICTIONS.parse(lines, file=str(path)):
        if isinstance(item, PredictionsHeader):
            header = item
        else:
            found.append((lines.number, item))
    return Content(predictions=found, header=header)


def read_efficiency_file(path: Path) -> list[tuple[int, WindowLog]]:
    """An efficiency log: each window with its line."""
    lines = NumberedLines(file_lines(path))
    return [(lines.number, window) for window in EFFICIENCY.each(lines, file=str(path))]
