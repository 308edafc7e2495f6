"""``strad describe --task segment``: a data set's segments in, its predictions out."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from service.cli.describe_rules import check_language
from service.cli.terminal import console, printable, run
from service.loading import weights_for
from service.model_choice import ModelChoice
from service.segments.journal import Finished, Journal
from service.segments.opening import OpenedSegments, open_segments
from service.segments.predictions import write_predictions
from service.segments.run import SegmentRun, Watcher
from service.settings import Settings
from strad.counted import counted
from strad.errors import InputError
from strad.terminal_bar import TerminalBar
from strad.text_file import refuse_output
from strad_engines.weights import Weights
from streaming.characters.bank import read_bank
from streaming.characters.cast import Casting
from streaming.ingest import IngestOptions
from streaming.tasks.segments.media_files import by_media
from streaming.tasks.segments.reading import read_segments
from streaming.tasks.segments.segment import Segment

NAMED = 5
"""Missing videos that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class SegmentsRequest:
    """What the command line asked for."""

    segments: Path
    media: Path
    output: Path
    describer: str
    language: str
    characters: Path | None
    portraits: Path | None
    overwrite: bool
    settings: Settings


def describe_segments(request: SegmentsRequest) -> None:
    """All of them. Exits with 1 where one failed or has no media."""
    check_language(request.language)
    data, segments = read_segments(request.segments)
    films, missing = by_media(segments, request.media)
    there = f"{counted(len(films), 'media file')} in {request.media}"
    say(f"{data.name}: {counted(len(segments), 'segment')}, {there}")
    tell_missing(missing, request.media)
    if not films:
        raise InputError(f"{request.media}: holds none of the videos of {request.segments}")
    with Course(segments, len(segments) - len(missing)) as course:
        failed = run(_work(request, films, segments, course))
    for segment, why in failed:
        say(f"failed: {segment.name}: {why}")
    if failed or missing:
        raise typer.Exit(1)


async def _work(
    request: SegmentsRequest,
    films: Mapping[Path, Sequence[Segment]],
    segments: Sequence[Segment],
    course: Course,
) -> list[tuple[Segment, str]]:
    weights, choice = weights_for(request.settings), ModelChoice.of(request.settings)
    casting = await asyncio.to_thread(casting_of, request, weights)
    async with open_segments(request.describer, choice, weights) as opened:
        for line in opened.said:
            say(line)
        journal = Journal.beside(request.output, identity(request, opened))
        _begin(journal, request)
        course.resume(len(journal.finished))
        options = IngestOptions(max_width=opened.width or IngestOptions().max_width)
        with journal:
            work = SegmentRun(
                opened.describer,
                journal,
                course,
                opened.at_once,
                options,
                casting,
                request.language,
            )
            try:
                await work.run(films)
            finally:
                write_predictions(request.output, segments, journal.finished)
                _told(journal, segments, request.output)
    if not work.tally.failed and len(journal.finished) == len(segments):
        journal.remove()
    return work.tally.failed


def casting_of(request: SegmentsRequest, weights: Weights) -> Casting | None:
    """Who can be known; None without a bank. Raises InputError, MissingModelError."""
    if request.characters is None:
        return None
    if request.portraits is None:
        raise InputError(
            "--characters names who plays whom; to know a face give --portraits, a folder of "
            "pictures named by the actors' ids (nm0000412.jpg)"
        )
    if not request.portraits.is_dir():
        raise InputError(f"{request.portraits}: is no folder")
    bank = read_bank(request.characters)
    from streaming.characters.loading import load_faces

    return Casting(bank, request.portraits, *load_faces(weights))


def identity(request: SegmentsRequest, opened: OpenedSegments) -> dict[str, Any]:
    """What must be the same for two runs to be one."""
    return {
        "strad": "segment-journal",
        "version": 1,
        "segments": _sha256(request.segments),
        "describer": opened.describer.name,
        "language": request.language,
        "width": opened.width,
        "characters": _sha256(request.characters) if request.characters else None,
        "portraits": _names(request.portraits) if request.portraits else None,
    }


def _begin(journal: Journal, request: SegmentsRequest) -> None:
    """Go on with the journal that is there, or make sure that nothing is lost."""
    if request.overwrite:
        journal.remove()
    if journal.exists:
        journal.read()
    over = request.overwrite or journal.exists
    refuse_output(request.output, overwrite=over, option="--overwrite")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _names(folder: Path) -> str:
    """Tells whether a folder still holds the same files, by names and sizes."""
    found = sorted((path.name, path.stat().st_size) for path in folder.iterdir())
    return hashlib.sha256(repr(found).encode()).hexdigest()


def tell_missing(missing: Sequence[Segment], folder: Path) -> None:
    """Up front: which videos there is no media of."""
    videos = list(dict.fromkeys(segment.media[0] for segment in missing))
    if not videos:
        return
    more = f" and {counted(len(videos) - NAMED, 'other')}" if len(videos) > NAMED else ""
    named = ", ".join(videos[:NAMED])
    what = f"{counted(len(missing), 'segment')} of {counted(len(videos), 'video')}"
    say(f"no media in {folder} for {what}: {named}{more}")


def _told(journal: Journal, segments: Sequence[Segment], output: Path) -> None:
    said = sum(bool(came.text) for came in journal.finished.values())
    reasons: dict[str, int] = {}
    for came in journal.finished.values():
        if came.why:
            reasons[came.why] = reasons.get(came.why, 0) + 1
    unfit = "; no description in the answer: " if reasons else ""
    why = ", ".join(f"{count} {reason}" for reason, count in reasons.items())
    say(f"{said} of {counted(len(segments), 'segment')} described{unfit}{why}: {output}")


def say(line: str) -> None:
    """To standard error."""
    console.print(printable(line), markup=False, soft_wrap=True)


class Course(TerminalBar, Watcher):
    """A bar where standard error is a terminal; failures are told when they happen."""

    def __init__(self, segments: Sequence[Segment], there: int) -> None:
        super().__init__(console)
        self.start("segments", min(there, len(segments)))

    def resume(self, count: int) -> None:
        """So many were finished before."""
        if count:
            say(f"{counted(count, 'segment')} finished before")
            self.advance(count)

    def finish(self, segment: Segment, came: Finished) -> None:
        """See ``Watcher``."""
        del segment, came
        self.advance()

    def fail(self, segment: Segment, why: str) -> None:
        """See ``Watcher``; listed at the end."""
        del segment, why
        self.advance()
