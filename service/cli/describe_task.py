"""Which task ``strad describe`` does (StrAD, section 3), and the options of the segment task."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from service.cli.describe_segments import SegmentsRequest, describe_segments
from service.settings import Settings
from strad.errors import InputError

SUFFIX = "-predictions.csv"
NOT_OF_SEGMENTS = (
    *("INPUT", "--manifest", "--media", "--captions", "--format", "--summary", "--efficiency"),
    *("--video-id", "--record", "--gaps", "--asr", "--delay", "--stride", "--placement", "--pace"),
    *("--protocol", "--protect"),
)
"""Options that the segment task has no use for."""


class Task(StrEnum):
    """What is given, and what is to be found out."""

    STREAM = "stream"
    """Media as it comes; where and what to describe."""
    SEGMENT = "segment"
    """Moments whose times are known; what to say about each."""
    DOCUMENT = "document"
    """A whole video at hand, gone through several times."""


TaskName: TypeAlias = Annotated[
    Task,
    typer.Option(
        help="stream: as if it came live. segment: the moments in --segments, each by itself. "
        "document: all of the video in five passes, to be read and corrected in between."
    ),
]
SegmentsFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--segments", metavar="CSV", help="CMD-AD's, TV-AD's or MAD-Eval's annotations."),
]
MediaFolder: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--media-folder", help="Where the segments' videos lie. By default beside the CSV."
    ),
]
Characters: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="JSON", help="Who plays whom: faces are marked and named by it."),
]
Portraits: TypeAlias = Annotated[
    Path | None, typer.Option(help="Pictures of the actors, named by their ids.")
]


@dataclass(frozen=True, slots=True)
class SegmentWishes:
    """What was asked for with the options that only ``--task segment`` has."""

    segments: Path | None
    media_folder: Path | None
    characters: Path | None
    portraits: Path | None

    def check(self, task: Task) -> None:
        """Raises InputError where another task is to be done."""
        given = {
            "--segments": self.segments,
            "--media-folder": self.media_folder,
            "--characters": self.characters,
            "--portraits": self.portraits,
        }
        named = next((option for option, value in given.items() if value is not None), None)
        if named and task is not Task.SEGMENT:
            raise InputError(f"{named} is for --task segment")

    def run(
        self, output: str | None, describer: str, language: str, settings: Settings, *, over: bool
    ) -> None:
        """Describe them. ``over``: replace what was written before."""
        if self.segments is None:
            raise InputError("--task segment needs --segments: the data set's CSV file")
        beside = self.segments.with_name(f"{self.segments.stem}{SUFFIX}")
        request = SegmentsRequest(
            segments=self.segments,
            media=self.media_folder or self.segments.parent,
            output=Path(output) if output else beside,
            describer=describer,
            language=language,
            characters=self.characters,
            portraits=self.portraits,
            overwrite=over,
            settings=settings,
        )
        describe_segments(request)


def no_segment_task(*given: object) -> None:
    """Raises InputError where any of ``NOT_OF_SEGMENTS``, in their order, was given."""
    for option, value in zip(NOT_OF_SEGMENTS, given, strict=True):
        if value is not None:
            raise InputError(f"{option} does not go with --task segment")
