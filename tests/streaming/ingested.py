"""Runs ingest to its end and keeps what came out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from streaming.ingest import IngestOptions, open_media
from streaming.media import AudioChunk, Media, MediaNotice, VideoFrame
from streaming.sources import BytesSource, Container, FileSource, Source


@dataclass(slots=True)
class Ingested:
    """All of one media, sorted by kind."""

    items: list[Media] = field(default_factory=list)

    @property
    def frames(self) -> list[VideoFrame]:
        return [item for item in self.items if isinstance(item, VideoFrame)]

    @property
    def chunks(self) -> list[AudioChunk]:
        return [item for item in self.items if isinstance(item, AudioChunk)]

    @property
    def notices(self) -> list[str]:
        return [item.code for item in self.items if isinstance(item, MediaNotice)]

    @property
    def times(self) -> list[int]:
        return [frame.t for frame in self.frames]

    @property
    def pcm(self) -> bytes:
        """All the sound, after checking that it has no hole and no overlap."""
        at = 0
        for chunk in self.chunks:
            assert chunk.t == at, (chunk.t, at)
            at = chunk.when.end
        return b"".join(chunk.pcm for chunk in self.chunks)

    @property
    def sound_ms(self) -> int:
        return len(self.pcm) // 32


async def pieces(data: bytes, size: int = 4096, pause: float = 0.0) -> AsyncIterator[bytes]:
    """The bytes in small cuts, with a pause before each."""
    for at in range(0, len(data), size):
        if pause:
            await asyncio.sleep(pause)
        yield data[at : at + size]


def ingest(source: Source, options: IngestOptions | None = None) -> Ingested:
    """All that comes out; raises what ingest raises."""

    async def go() -> Ingested:
        found = Ingested()
        async with open_media(source, options) as media:
            async for item in media:
                found.items.append(item)
        return found

    return asyncio.run(go())


def ingest_bytes(
    data: bytes, container: Container, options: IngestOptions | None = None, size: int = 4096
) -> Ingested:
    """The same for live bytes."""
    return ingest(BytesSource(container, pieces(data, size)), options)


def ingest_file(
    folder: Path, data: bytes, name: str = "clip.mp4", options: IngestOptions | None = None
) -> Ingested:
    """The same for a file with these bytes."""
    path = folder / name
    path.write_bytes(data)
    return ingest(FileSource(path), options)


def joined(parts: Iterable[bytes]) -> bytes:
    """Bytes one after another."""
    return b"".join(parts)
