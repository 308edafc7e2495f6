"""A run over segments: film by film, in one pass each; what fails is listed, the rest goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from service.segments.journal import Finished, Journal
from strad.errors import StradError, cause_of
from strad_engines.engine_errors import EngineError
from streaming.characters.cast import Casting
from streaming.excerpts import Excerpt, OutsideError, excerpts
from streaming.ingest import IngestOptions
from streaming.tasks.segments.describer import SegmentDescriber
from streaming.tasks.segments.segment import PICTURES, Clip, Segment

HOPELESS = 5
"""Segments in a row that the engine gave no answer for, after which the run stops."""


@dataclass(slots=True)
class Tally:
    """How far the run is."""

    failed: list[tuple[Segment, str]] = field(default_factory=list)
    in_a_row: int = 0
    """Segments without an answer from the engine."""


class Watcher:
    """Told what happens. Does nothing by itself."""

    def finish(self, segment: Segment, came: Finished) -> None:
        """A segment was described, or answered by nothing that can be spoken."""

    def fail(self, segment: Segment, why: str) -> None:
        """A segment can't be described."""


@dataclass(slots=True)
class SegmentRun:
    """Describes segments and writes each down."""

    describer: SegmentDescriber
    journal: Journal
    watcher: Watcher
    at_once: int
    options: IngestOptions
    casting: Casting | None = None
    language: str = "en"
    tally: Tally = field(default_factory=Tally)

    async def run(self, films: Mapping[Path, Sequence[Segment]]) -> None:
        """All that aren't finished. Raises EngineError where the engine answers nothing at all."""
        try:
            async with asyncio.TaskGroup() as group:
                free = asyncio.Semaphore(self.at_once)
                for path, segments in films.items():
                    left = [one for one in segments if one.line not in self.journal.finished]
                    async for segment, clip in self._clips(path, left):
                        await free.acquire()
                        group.create_task(self._described(segment, clip, free))
        except BaseExceptionGroup as group:
            raise cause_of(group) from None

    async def _clips(
        self, path: Path, segments: Sequence[Segment]
    ) -> AsyncIterator[tuple[Segment, Clip]]:
        """What each segment shows; those that can't be shown fail."""
        if not segments:
            return
        left = dict(enumerate(segments))
        spans = [segment.shown for segment in segments]
        sound = self.describer.hears
        try:
            async with aclosing(
                excerpts(path, spans, count=PICTURES, sound=sound, options=self.options)
            ) as found:
                async for one in found:
                    segment = segments[one.number]
                    if isinstance(one, OutsideError):
                        self._fail(segment, str(one))
                    else:
                        yield segment, await self._clip(segment, one)
                    del left[one.number]
        except StradError as error:
            for segment in left.values():
                self._fail(segment, str(error))

    async def _clip(self, segment: Segment, excerpt: Excerpt) -> Clip:
        when = segment.when.intersect(excerpt.when) or excerpt.when
        clip = Clip(when, excerpt.when, excerpt.frames, excerpt.audio, language=self.language)
        if self.casting is None:
            return clip
        casting = self.casting

        def marked() -> Clip:
            frames, people = casting.cast(*segment.films).mark(clip.frames)
            return replace(clip, frames=frames, people=people)

        return await asyncio.to_thread(marked)

    async def _described(self, segment: Segment, clip: Clip, free: asyncio.Semaphore) -> None:
        try:
            said = await self.describer.describe(clip)
        except EngineError as error:
            self._fail(segment, str(error))
            self.tally.in_a_row += 1
            if self.tally.in_a_row >= HOPELESS:
                raise
            return
        finally:
            free.release()
        self.tally.in_a_row = 0
        came = Finished(said.text, said.why.value if said.why else "")
        self.journal.add(segment.line, came)
        self.watcher.finish(segment, came)

    def _fail(self, segment: Segment, why: str) -> None:
        self.tally.failed.append((segment, why))
        self.watcher.fail(segment, why)
