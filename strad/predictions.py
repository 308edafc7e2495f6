"""Predictions (JSONL): the descriptions that a system gave, video by video."""

from __future__ import annotations

from typing import Literal, Self

from strad.cues import Cue
from strad.line_file import LineFile
from strad.record import Id, Record, TimedText
from strad.timeline import to_seconds


class PredictionsHeader(Record):
    """The optional first line: what the predictions are."""

    strad: Literal["predictions"]
    version: Literal[1]
    protocol: str | None = None
    """``strad`` for a run by the paper's protocol; nothing else may be called a StrAD score."""
    describer: str | None = None
    """What made them."""
    draft: bool = False
    """Whether they are draft quality and must be labelled so wherever they are shown."""


class _InVideo(Record):
    video_id: Id


class Prediction(TimedText, _InVideo):
    """One description."""

    @classmethod
    def of(cls, video_id: str, cue: Cue) -> Self:
        """The cue as this video's prediction."""
        start, end = to_seconds(cue.when.start), to_seconds(cue.when.end)
        return cls(video_id=video_id, start=start, end=end, text=cue.text)


PREDICTIONS = LineFile(PredictionsHeader, Prediction)
