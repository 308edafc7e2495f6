"""What ``strad push`` sends, as sources that can be begun again where a connection was lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from clients.python.pace import Pace
from clients.python.publisher import Control
from clients.python.resuming import Source, Take
from service.remux import remuxed_since
from strad.timeline import from_seconds, to_seconds
from strad.wire.answering import Answer, Ready
from strad.wire.publishing import Captions, Container

AGAIN = 10.0
"""Seconds sent a second time: a service that went on for one that was killed may have lost some."""


class RemuxedFile:
    """A file copied into Matroska, from a keyframe before where the stream stands."""

    def __init__(self, file: Path, pace: Pace) -> None:
        self._file = file
        self._pace = pace

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``."""
        seen = from_seconds(since or 0.0)
        start = max(0, seen - from_seconds(AGAIN))
        async with remuxed_since(self._file, self._pace, start, seen=seen) as (begins, pieces):
            at = None if since is None else to_seconds(begins)
            yield Take(Container.MATROSKA, pieces, at)


class WithCaptions:
    """Captions go ahead of the media: all at first, then those that aren't final yet."""

    def __init__(self, source: Source, captions: Sequence[Captions]) -> None:
        self._source = source
        self._captions = captions
        self._final = 0.0

    def hear(self, answer: Answer) -> None:
        """Take note of how far captions are known."""
        if isinstance(answer, Ready):
            self._final = answer.captions

    @asynccontextmanager
    async def begin(self, since: float | None) -> AsyncIterator[Take]:
        """See ``Source``."""
        async with self._source.begin(since) as take:
            yield Take(take.container, self._with_captions(take), take.at)

    async def _with_captions(self, take: Take) -> AsyncIterator[bytes | Control]:
        for message in self._captions:
            if message.until > self._final:
                cues = tuple(cue for cue in message.cues if cue.start >= self._final)
                yield message.model_copy(update={"cues": cues})
        async for item in take.media:
            yield item
