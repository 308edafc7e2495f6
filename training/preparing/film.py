"""One film: looked at, and shown once to make its part of the data set."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

from strad.errors import DecoderError, DescriberError, MediaError
from strad.timeline import Ms
from streaming.characters.cast import Casting
from streaming.ingest import Ingest, IngestOptions
from streaming.media import AudioChunk, MediaNotice, VideoFrame
from streaming.sources import FileSource
from training.dataset import Entry
from training.example import Example
from training.preparing.plan import FilmPlan
from training.preparing.projection import Projection, Taken, segment_example
from training.shards import ShardWriter, packed
from training.skipped import Fault, Skipped, Skips
from training.stored import files_of

SOUNDLESS = "no-audio"
"""The decoder's notice of media without sound."""


@dataclass(frozen=True, slots=True)
class Part:
    """A film's examples on the disk, and what became of the rest."""

    fingerprint: str
    entries: tuple[Entry, ...]
    skips: tuple[Skipped, ...]
    passed: dict[str, int]


@dataclass(frozen=True, slots=True)
class Look:
    """What a film's file says of itself."""

    length: Ms | None
    skips: tuple[Skipped, ...]
    """Why it can't be used; empty where it can."""


async def look_at(media: Path, name: str, *, sound: bool) -> Look:
    """Open the file and decode its first moment."""
    skips = Skips()
    try:
        async with Ingest(FileSource(media), IngestOptions(), times=(0,)) as found:
            async for item in found:
                match item:
                    case MediaNotice(code=code, message=why) if code == SOUNDLESS and sound:
                        skips.add(Fault.NO_AUDIO, name, why)
                    case VideoFrame() | AudioChunk():
                        break
                    case _:
                        pass
            return Look(found.duration, tuple(skips.listed))
    except (MediaError, DecoderError) as error:
        skips.add(Fault.CORRUPT_MEDIA, name, str(error))
        return Look(None, tuple(skips.listed))


class _SoundlessError(MediaError):
    """Its sound can't be decoded."""


@dataclass(slots=True)
class FilmMaker:
    """Makes parts."""

    folder: Path
    looks: IngestOptions
    sound: bool
    casting: Casting | None = None
    _marking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def part(self, plan: FilmPlan, keys: set[str], fingerprint: str) -> Part:
        """Every chosen example that the film has. Raises WorkError when the disk fails."""
        skips, material = Skips(), plan.material
        projection = Projection(plan, keys, sound=self.sound)
        entries: list[Entry] = []
        with ShardWriter(self.folder, material.slug) as shards:
            try:
                async with aclosing(self._shown(projection, plan, keys)) as examples:
                    async for example in examples:
                        place = shards.add(packed(example.key, files_of(example)))
                        key, film = example.key, example.film
                        entry = Entry(key, film, plan.split, example.kind, example.why, place)
                        entries.append(entry)
            except _SoundlessError as error:
                skips.add(Fault.NO_AUDIO, material.id, str(error))
                entries.clear()
            except (MediaError, DecoderError, DescriberError) as error:
                fault = Fault.CUT_OFF if entries else Fault.CORRUPT_MEDIA
                skips.add(fault, material.id, str(error))
        for why, count in projection.passed.items():
            skips.add(Fault.OUTSIDE_MEDIA, material.id, f"{count} examples: {why}")
        return Part(fingerprint, tuple(entries), tuple(skips.listed), dict(plan.passed))

    async def _shown(
        self, projection: Projection, plan: FilmPlan, keys: set[str]
    ) -> AsyncGenerator[Example, None]:
        source = FileSource(plan.material.media)
        async with Ingest(source, self.looks, times=plan.times(keys)) as media:
            async for item in media:
                match item:
                    case VideoFrame() | AudioChunk():
                        for found in projection.feed(item):
                            yield await self._example(found, plan)
                    case MediaNotice(code=code, message=why) if code == SOUNDLESS and self.sound:
                        raise _SoundlessError(why)
                    case _:
                        pass
        for found in projection.finish():
            yield await self._example(found, plan)

    async def _example(self, found: Example | Taken, plan: FilmPlan) -> Example:
        if isinstance(found, Example):
            return found
        clip, material = found.clip, plan.material
        if self.casting is not None:
            cast = self.casting.cast(*material.films)
            async with self._marking:
                frames, people = await asyncio.to_thread(cast.mark, clip.frames)
            clip = replace(clip, frames=frames, people=people)
        return segment_example(found, clip, material.film)
