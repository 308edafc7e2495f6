"""What any input file comes to: reference descriptions, predictions, or both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from pydantic import ValidationError

from strad.errors import FormatError
from strad.manifest import Manifest, Video
from strad.predictions import Prediction, PredictionsHeader
from strad.record import Record, TimedText

_Record = TypeVar("_Record", bound=Record)


@dataclass(frozen=True, slots=True)
class Options:
    """What some formats leave open."""

    video_id: str | None = None
    """For files of one video; else the file's name without its ending."""
    duration: float | None = None
    """For files that don't say, in seconds; else where the last description ends."""
    reversed_times: Literal["refuse", "swap"] = "refuse"


@dataclass(slots=True)
class Content:
    """References as a manifest, predictions with the line of each; either may be absent."""

    manifest: Manifest | None = None
    predictions: list[tuple[int, Prediction]] | None = None
    header: PredictionsHeader | None = None
    swapped: int = 0
    """How many events ended before they started and were turned round."""
    cut: int = 0
    """How many widened events began before 0 and now begin there."""


@dataclass(slots=True)
class Gathered:
    """Descriptions as they are read, video by video, checked one by one."""

    file: str
    options: Options
    videos: dict[str, list[TimedText]] = field(default_factory=dict)
    details: dict[str, dict[str, object]] = field(default_factory=dict)
    predictions: list[tuple[int, Prediction]] = field(default_factory=list)
    swapped: int = 0
    cut: int = 0

    def reference(self, video: str, times: tuple[float, float], text: str, line: int) -> None:
        """One more reference description of ``video``."""
        start, end = self._ordered(times)
        made = self._checked(TimedText, {"start": start, "end": end, "text": text}, line)
        self.videos.setdefault(self._named(video, line), []).append(made)

    def prediction(self, video: str, times: tuple[float, float], text: str, line: int) -> None:
        """One more prediction for ``video``."""
        start, end = self._ordered(times)
        fields = {"video_id": self._named(video, line), "start": start, "end": end, "text": text}
        self.predictions.append((line, self._checked(Prediction, fields, line)))

    def manifest(self, name: str) -> Manifest:
        """The references as a manifest. Raises FormatError where there is none."""
        if not self.videos:
            raise FormatError("no descriptions in it", file=self.file)
        return Manifest(version=1, name=name, videos=tuple(self._videos()))

    def _videos(self) -> Iterable[Video]:
        for video, ad in self.videos.items():
            details = self.details.get(video, {})
            end = max((event.end for event in ad), default=0.0)
            duration = details.pop("duration", None) or self.options.duration or end or 1.0
            fields = {"id": video, "duration": float(str(duration)), "ad": tuple(ad), **details}
            yield self._checked(Video, fields, None)

    def _named(self, video: str, line: int) -> str:
        if not video:
            raise FormatError("no video id", file=self.file, line=line)
        return video

    def _ordered(self, times: tuple[float, float]) -> tuple[float, float]:
        if times[1] < times[0] and self.options.reversed_times == "swap":
            self.swapped += 1
            return times[1], times[0]
        return times

    def _checked(self, kind: type[_Record], fields: dict[str, object], line: int | None) -> _Record:
        try:
            return kind.model_validate(fields)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_context=False)[0]
        name = ".".join(str(part) for part in problem["loc"])
        what = problem["msg"].removeprefix("Value error, ")
        raise FormatError(f"{name}: {what}" if name else what, file=self.file, line=line)
