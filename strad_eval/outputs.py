"""Content as a file in another format."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from strad.cue_text import srt_plain
from strad.cues import Cue
from strad.errors import InputError
from strad.manifest import Manifest, write_manifest
from strad.predictions import PREDICTIONS, Prediction, PredictionsHeader
from strad.record import TimedText
from strad.srt import write_srt
from strad.webvtt import write_webvtt
from strad_eval.inputs.content import Content

Writer: TypeAlias = Callable[[Content], str]
_Event = TypeVar("_Event", bound=TimedText)


def as_manifest(content: Content) -> str:
    """The references."""
    return write_manifest(_references(content))


def as_predictions(content: Content) -> str:
    """The predictions, with their header, or one that says only what the file is."""
    header = content.header or PredictionsHeader(strad="predictions", version=1)
    return PREDICTIONS.write((p for _, p in _predictions(content)), header)


def as_activitynet(content: Content) -> str:
    """The references as Krishna's JSON."""
    videos = {
        video.id: {
            "duration": video.duration,
            "timestamps": [[event.start, event.end] for event in video.ad],
            "sentences": [event.text for event in video.ad],
        }
        for video in _references(content).videos
    }
    return json.dumps(videos, ensure_ascii=False, indent=1) + "\n"


def as_activitynet_results(content: Content) -> str:
    """The predictions as dense captioning programs read them."""
    results: dict[str, list[dict[str, object]]] = {}
    for _, one in _predictions(content):
        event: dict[str, object] = {"sentence": one.text, "timestamp": [one.start, one.end]}
        results.setdefault(one.video_id, []).append(event)
    document = {"version": "1", "external_data": {}, "results": results}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_webvtt(content: Content) -> str:
    """One video's predictions, or references where there are none, as WebVTT."""
    return write_webvtt(_cues(content))


def as_srt(content: Content) -> str:
    """The same as SRT."""
    return write_srt([cue for cue in _cues(content) if srt_plain(cue.text).strip()])


def _cues(content: Content) -> list[Cue]:
    if content.predictions is not None:
        by_video: dict[str, list[Prediction]] = {}
        for _, one in content.predictions:
            by_video.setdefault(one.video_id, []).append(one)
        cues = [one.cue() for one in _only(by_video)]
    else:
        videos = {v.id: list(v.ad) for v in _references(content).videos}
        cues = [event.cue() for event in _only(videos)]
    return [cue for cue in cues if cue.text.strip()]


def as_published(content: Content) -> str:
    """``vid,start,end,text_gt,text_gen``: predictions beside references of the same times."""
    said: dict[tuple[str, float, float], list[str]] = {}
    for _, one in _predictions(content):
        said.setdefault((one.video_id, one.start, one.end), []).append(one.text)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["vid", "start", "end", "text_gt", "text_gen"])
    for video in _references(content).videos:
        for event in video.ad:
            texts = said.get((video.id, event.start, event.end), [])
            text = texts.pop(0) if texts else ""
            table.writerow([video.id, event.start, event.end, event.text, text])
    if any(said.values()):
        raise InputError("published CSV holds a prediction for each reference's times only")
    return out.getvalue()


WRITERS: dict[str, Writer] = {
    "manifest": as_manifest,
    "predictions": as_predictions,
    "activitynet": as_activitynet,
    "activitynet-results": as_activitynet_results,
    "vtt": as_webvtt,
    "webvtt": as_webvtt,
    "srt": as_srt,
    "published": as_published,
}


def _references(content: Content) -> Manifest:
    if content.manifest is None:
        raise InputError("there are no reference descriptions in it to write")
    return content.manifest


def _predictions(content: Content) -> Iterable[tuple[int, Prediction]]:
    if content.predictions is None:
        raise InputError("there are no predictions in it to write")
    return content.predictions


def _only(by_video: dict[str, list[_Event]]) -> list[_Event]:
    if len(by_video) != 1:
        found = f"WebVTT and SRT hold one video, here are {len(by_video)}"
        raise InputError(f"{found}: name it: --video-id")
    return next(iter(by_video.values()))
