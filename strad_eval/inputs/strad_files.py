"""Our own formats: manifest, predictions and efficiency log, with the line of each record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from strad.efficiency import EFFICIENCY, WindowLog
from strad.errors import InputError
from strad.manifest import read_manifest
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.text_file import read_text
from strad_eval.inputs.content import Content, Options


class _Lines:
    """A file's lines as bytes, that knows which was read last."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.number = 0

    def __iter__(self) -> Iterator[bytes]:
        try:
            with self._path.open("rb") as file:
                for line in file:
                    self.number += 1
                    yield line
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(f"{self._path}: can't be read: {why}") from None


def read_manifest_file(path: Path, _options: Options) -> Content:
    """A manifest: the references."""
    return Content(manifest=read_manifest(read_text(path), file=str(path)))


def read_predictions_file(path: Path, _options: Options) -> Content:
    """Predictions JSONL."""
    lines = _Lines(path)
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
    lines = _Lines(path)
    return [(lines.number, window) for window in EFFICIENCY.each(lines, file=str(path))]
