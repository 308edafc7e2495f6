"""ActivityNet-style JSON: Krishna's references, and results as dense captioning programs write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from strad.errors import FormatError
from strad.json_positions import JsonPath, positions
from strad.record import check_json
from strad.text_file import read_text
from strad_eval.inputs.content import Content, Gathered, Options

_Kind = TypeVar("_Kind", list[object], dict[str, object], str)
_WANTS = {list: "a list", dict: "an object", str: "text"}


def read_references(path: Path, options: Options) -> Content:
    """``{video: {"duration", "timestamps": [[s, e]], "sentences": [...]}}``."""
    data, found = _Json(path), Gathered(str(path), options)
    for video in data.member((), dict):
        times = data.member((video, "timestamps"), list)
        sentences = data.member((video, "sentences"), list)
        if len(times) != len(sentences):
            what = f"{video}: {len(times)} timestamps and {len(sentences)} sentences"
            raise data.fault(what, (video,))
        found.videos.setdefault(video, [])
        for index in range(len(times)):
            span = data.span((video, "timestamps", index))
            sentence = data.member((video, "sentences", index), str)
            found.reference(video, span, sentence, data.line((video, "timestamps", index)))
        duration = data.at((video, "duration"))
        if duration is not None:
            found.details[video] = {"duration": duration}
    return Content(manifest=found.manifest(path.stem), swapped=found.swapped)


def read_results(path: Path, options: Options) -> Content:
    """``{"results": {video: [{"sentence", "timestamp": [s, e]}]}}``."""
    data, found = _Json(path), Gathered(str(path), options)
    for video in data.member(("results",), dict):
        for index in range(len(data.member(("results", video), list))):
            where = ("results", video, index)
            sentence = data.member((*where, "sentence"), str)
            found.prediction(video, data.span((*where, "timestamp")), sentence, data.line(where))
    return Content(predictions=found.predictions, swapped=found.swapped)


class _Json:
    """A JSON file whose every value knows its line."""

    def __init__(self, path: Path) -> None:
        text = read_text(path)
        check_json(text, file=str(path))
        self._file = str(path)
        self._data: object = json.loads(text)
        self._lines = {value.path: value.line for value in positions(text)}

    def at(self, where: JsonPath) -> object:
        """The value there; None where there is none."""
        value = self._data
        for step in where:
            if isinstance(value, dict):
                value = value.get(str(step))
            elif isinstance(value, list) and isinstance(step, int):
                value = value[step]
            else:
                return None
        return value

    def member(self, where: JsonPath, kind: type[_Kind]) -> _Kind:
        """The value there, which must be of that kind."""
        value = self.at(where)
        if not isinstance(value, kind):
            raise self.fault(f"{where[-1] if where else 'the file'}: want {_WANTS[kind]}", where)
        return value

    def span(self, where: JsonPath) -> tuple[float, float]:
        """The start and end there, in seconds."""
        value = self.member(where, list)
        numbers = [v for v in value if isinstance(v, int | float) and not isinstance(v, bool)]
        if len(value) != 2 or len(numbers) != 2:
            raise self.fault(f"want [start, end] in seconds, not {value!r}", where)
        return float(numbers[0]), float(numbers[1])

    def line(self, where: JsonPath) -> int:
        """The line of the value there, or of the nearest around it."""
        while where and where not in self._lines:
            where = where[:-1]
        return self._lines.get(where, 1)

    def fault(self, what: str, where: JsonPath) -> FormatError:
        """The refusal that names the line."""
        return FormatError(what, file=self._file, line=self.line(where))
