"""Overhearing: what a stream's Session is told, overheard for those who watch and wish it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from service.asides import Asides
from service.gap_watch import GapWatch
from service.operations.live_quality import LiveQuality
from streaming.config import StreamConfig
from streaming.ears import Ears
from streaming.hearing import Heard, Unheard, WordsKnown
from streaming.media import AudioChunk, EpochStarted, Media


class Overhearing:
    """Passes everything on as it is."""

    def __init__(self, asides: Asides, config: StreamConfig, quality: LiveQuality) -> None:
        self._asides = asides
        self._quality = quality
        self._gaps = GapWatch(config.gaps, config.min_gap)

    async def facts(
        self, facts: AsyncGenerator[Media | WordsKnown | Unheard, None]
    ) -> AsyncGenerator[Media | WordsKnown | Unheard, None]:
        """What the publisher sends and tells."""
        async with aclosing(facts):
            async for fact in facts:
                match fact:
                    case WordsKnown() | Unheard():
                        self._take(fact)
                    case EpochStarted(epoch):
                        self._asides.epoch = epoch.stream
                yield fact

    def ears(self, ears: Ears | None) -> Ears | None:
        """What is heard in it."""
        return None if ears is None else _Overheard(ears, self)

    def _take(self, heard: Heard) -> None:
        self._quality.hear(heard)
        for aside in self._gaps.take(heard):
            self._asides.tell(aside)
            self._quality.notice(aside)

    async def overhear(self, findings: AsyncIterator[Heard]) -> AsyncIterator[Heard]:
        async for heard in findings:
            self._take(heard)
            yield heard


class _Overheard:
    """Ears that are overheard."""

    def __init__(self, ears: Ears, overhearing: Overhearing) -> None:
        self._ears = ears
        self._overhearing = overhearing

    async def hear(self, chunk: AudioChunk) -> None:
        await self._ears.hear(chunk)

    async def finish(self) -> None:
        await self._ears.finish()

    def findings(self) -> AsyncIterator[Heard]:
        return self._overhearing.overhear(self._ears.findings())

    async def aclose(self) -> None:
        await self._ears.aclose()
