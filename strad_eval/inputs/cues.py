"""WebVTT and SRT: the descriptions of one video."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from strad.cues import Cue
from strad.srt import read_srt
from strad.text_file import read_text
from strad.timeline import to_seconds
from strad.webvtt import read_webvtt
from strad_eval.inputs.content import Content, Gathered, Options


def read_vtt(path: Path, options: Options) -> Content:
    """Its cues, as references and as predictions: the file does not say which they are."""
    return _content(path, options, lambda text: read_webvtt(text, file=str(path)))


def read_subrip(path: Path, options: Options) -> Content:
    """Likewise of an SRT file."""
    return _content(path, options, lambda text: read_srt(text, file=str(path)))


def _content(path: Path, options: Options, read: Callable[[str], list[Cue]]) -> Content:
    found = Gathered(str(path), options)
    video = options.video_id or path.stem
    found.videos[video] = []
    for number, cue in enumerate(read(read_text(path)), start=1):
        times = to_seconds(cue.when.start), to_seconds(cue.when.end)
        found.reference(video, times, cue.text, number)
        found.prediction(video, times, cue.text, number)
    return Content(found.manifest(path.stem), found.predictions)
