"""Excerpts of a film: for each span some evenly spaced pictures, and the sound. One pass, seeking.

Decoded in the guarded child of ``streaming.ingest``, which seeks from one stretch of neighbouring
spans to the next. Memory is bounded by one stretch.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from strad.errors import MediaError
from strad.timeline import Interval, Ms
from streaming.decoding.excerpts import END_OF_STRETCH
from streaming.decoding.spans import Wanted, inside, moments
from streaming.ingest import Ingest, IngestOptions
from streaming.media import AudioChunk, MediaNotice, VideoFrame
from streaming.sources import FileSource


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a span of a film shows, and how it sounds."""

    number: int
    """Which of the spans asked for."""
    when: Interval
    """The span as far as the film has it."""
    frames: tuple[VideoFrame, ...]
    audio: tuple[AudioChunk, ...]


@dataclass(slots=True)
class _Stretch:
    frames: dict[Ms, VideoFrame] = field(default_factory=dict)
    chunks: list[AudioChunk] = field(default_factory=list)

    def excerpt(self, number: int, when: Interval, count: int) -> Excerpt | None:
        """None where a picture is missing: the film is shorter than it says."""
        times = moments(when, count)
        if any(t not in self.frames for t in times):
            return None
        audio = tuple(chunk for chunk in self.chunks if chunk.when.overlaps(when))
        return Excerpt(number, when, tuple(self.frames[t] for t in times), audio)


class OutsideError(MediaError):
    """A span that the film doesn't have."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)
        self.number = number


async def excerpts(
    film: Path,
    spans: Sequence[Interval],
    *,
    count: int,
    sound: bool,
    options: IngestOptions | None = None,
) -> AsyncGenerator[Excerpt | OutsideError, None]:
    """One for each span, in order of their starts; an OutsideError for one that isn't in the film.

    Raises what ``Ingest`` raises for media that can't be used: what came before stands.
    """
    order = sorted(range(len(spans)), key=lambda n: (spans[n], n))
    sorted_spans = tuple((spans[n].start, spans[n].end) for n in order)
    wanted = Wanted(sorted_spans, count, sound)
    async with Ingest(FileSource(film), options or IngestOptions(), wanted) as media:
        left, stretch = list(order), _Stretch()
        async for item in media:
            match item:
                case VideoFrame():
                    stretch.frames[item.t] = item
                case AudioChunk():
                    stretch.chunks.append(item)
                case MediaNotice(code, count=here) if code == END_OF_STRETCH:
                    while here:
                        number = left.pop(0)
                        when = inside(spans[number], media.duration)
                        here -= when is not None
                        found = stretch.excerpt(number, when, count) if when else None
                        yield found or _outside(film, spans[number], number)
                    stretch = _Stretch()
                case _:
                    pass
        for number in left:
            yield _outside(film, spans[number], number)


def _outside(film: Path, span: Interval, number: int) -> OutsideError:
    said = f"{film}: it has nothing from {span.start / 1000:.1f} to {span.end / 1000:.1f} s"
    return OutsideError(said, number)
