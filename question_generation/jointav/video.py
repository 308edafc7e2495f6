"""A video to make scenes of: what a pipeline that starts from media reads. One line of JSONL."""

from __future__ import annotations

from typing import Literal

from question_generation.provenance import Traced
from question_generation.scene import FilmFacts
from strad.line_file import LineFile
from strad.record import Record


class VideosHeader(Record):
    """The optional first line of a file of videos."""

    strad: Literal["videos"]
    version: Literal[1]


class Video(Traced):
    """One video file. ``id`` is what scenes and items call it."""

    clip: str
    """The file, relative to the folder of clips."""
    subtitles: str | None = None
    """A WebVTT or SRT file, relative to the folder of clips; None: speech is recognised."""
    film_id: str | None = None
    facts: FilmFacts | None = None
    split: str | None = None


VIDEOS = LineFile(VideosHeader, Video)
