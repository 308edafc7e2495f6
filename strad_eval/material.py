"""What is judged: videos with their references, predictions and speech, read and checked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from strad.errors import FormatError, InputError
from strad.manifest import Manifest, Video
from strad.predictions import Prediction, PredictionsHeader
from strad.record import TimedText
from strad_eval.doubts import Doubts
from strad_eval.readings import Readings
from strad_eval.tokens.lines import one_line
from strad_eval.unit import Event, Span, merged


@dataclass(frozen=True, slots=True)
class Programme:
    """One video, ready to be scored; all times in seconds, events in order of their start."""

    id: str
    duration: float
    genre: str | None
    references: tuple[Event, ...]
    predictions: tuple[Event, ...]
    predicted: bool
    """Whether the predictions name this video at all."""
    lines: tuple[tuple[Span, str], ...] | None = None
    """What is said, where a transcript is known."""

    @property
    def speech(self) -> tuple[Span, ...] | None:
        """When somebody speaks, merged."""
        return None if self.lines is None else merged(span for span, _ in self.lines)


@dataclass(frozen=True, slots=True)
class Predictions:
    """A predictions file, with the line that each came from."""

    header: PredictionsHeader | None
    items: tuple[tuple[int, Prediction], ...]
    file: str = ""


@dataclass(frozen=True, slots=True)
class Material:
    """The whole set, and what was odd about it."""

    name: str
    programmes: tuple[Programme, ...]
    header: PredictionsHeader | None = None
    doubts: Doubts = field(default_factory=Doubts)


def bring_together(manifest: Manifest, given: Predictions, readings: Readings) -> Material:
    """References and predictions, video by video.

    Raises InputError for a manifest without videos or references, FormatError with file and line
    for predictions of an unknown video (unless the reading ignores them).
    """
    if not any(video.ad for video in manifest.videos):
        raise InputError(f"{manifest.name}: no reference descriptions: there is nothing to score")
    doubts = Doubts()
    by_video = _by_video(manifest, given, readings, doubts)
    programmes = [
        _programme(video, by_video.get(video.id), readings, doubts) for video in manifest.videos
    ]
    if readings.missing == "drop":
        programmes = [programme for programme in programmes if programme.predicted]
    if not programmes:
        raise InputError("no video has predictions, and the reading missing=drop leaves them out")
    return Material(manifest.name, tuple(programmes), given.header, doubts)


def _by_video(
    manifest: Manifest, given: Predictions, readings: Readings, doubts: Doubts
) -> dict[str, list[Prediction]]:
    known = {video.id for video in manifest.videos}
    found: dict[str, list[Prediction]] = defaultdict(list)
    for line, prediction in given.items:
        if prediction.video_id in known:
            found[prediction.video_id].append(prediction)
        elif readings.unknown_ids == "ignore":
            doubts.note("predictions for unknown videos")
        else:
            what = f"no video {prediction.video_id!r} in {manifest.name}"
            hint = "--reading unknown_ids=ignore leaves it out"
            raise FormatError(f"{what} ({hint})", file=given.file, line=line)
    return found


def _programme(
    video: Video, given: list[Prediction] | None, readings: Readings, doubts: Doubts
) -> Programme:
    if given is None:
        doubts.note("videos without predictions")
    kept = list(given or ())
    if readings.most_predictions and len(kept) > readings.most_predictions:
        doubts.note("predictions over the most kept", len(kept) - readings.most_predictions)
        kept = kept[: readings.most_predictions]
    if video.transcript is None:
        doubts.note("videos without transcript")
        lines = None
    else:
        lines = tuple(((line.start, line.end), line.text) for line in video.transcript)
    return Programme(
        id=video.id,
        duration=video.duration,
        genre=video.genre,
        references=_events(video.ad, "references", video.duration, doubts),
        predictions=_events(tuple(kept), "predictions", video.duration, doubts),
        predicted=given is not None,
        lines=lines,
    )


def _events(
    items: tuple[TimedText, ...], kind: str, duration: float, doubts: Doubts
) -> tuple[Event, ...]:
    events = []
    for item in items:
        text = one_line(item.text)
        if text != item.text.strip():
            doubts.note("texts with line separators")
        events.append(Event(item.start, item.end, text))
    events.sort(key=lambda event: event.start)
    doubts.note(f"empty {kind}", sum(1 for e in events if not e.text))
    doubts.note(f"duplicate {kind}", len(events) - len(set(events)))
    doubts.note(f"overlapping {kind}", sum(1 for a, b in pairwise(events) if b.start < a.end))
    doubts.note(f"{kind} past the end", sum(1 for e in events if e.start >= duration))
    doubts.note(f"{kind} of no length", sum(1 for e in events if e.duration <= 0))
    return tuple(events)
