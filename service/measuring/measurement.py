"""A measurement: the first minutes of each video one by one, then one of them as it plays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from service.measuring.clocked_session import ClockedSession
from service.measuring.engine_log import EngineLog
from service.measuring.figures import Figures, add_tokens, of_live, of_replay
from service.measuring.forced_describer import ForcedDescriber
from service.model_describer import TrainedModel
from service.pacing import at_play_speed
from service.report import Report
from strad.speech import GapSource, Word
from strad.timeline import Ms
from streaming.config import Pace, Placement, StreamConfig
from streaming.describers.describer import Describer
from streaming.driver import drive
from streaming.hearing import Heard, SpeechKnown, WordsKnown
from streaming.ingest import IngestOptions, open_media
from streaming.listen import Listener
from streaming.media import AudioChunk, Media, VideoFrame
from streaming.sources import FileSource
from streaming.voices.estimate import EstimateVoice

PATIENCE: Ms = 30_000
"""The transcript is told this far ahead."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A video to measure with, and its transcript."""

    path: Path
    words: tuple[Word, ...] = ()


@dataclass(slots=True)
class Measurement:
    """Fills in its figures as it goes: what is there when it is cut short stands."""

    model: TrainedModel
    listener: Listener
    length: Ms
    """How much of each video."""
    live: Ms
    """How much of the first one is gone through as it plays; 0: none."""
    forced: bool
    """Whether the model's weights mean nothing, and its answers are made up."""
    figures: Figures = field(default_factory=Figures)

    async def run(self, clips: Sequence[Clip]) -> None:
        """All of it. Raises what the media or the engine raises."""
        await self._decoding(clips[0])
        await self._hearing(clips[0])
        await self._replay(clips)
        if self.live:
            await self._as_it_plays(clips[0])

    async def _decoding(self, clip: Clip) -> None:
        clock = asyncio.get_running_loop().time
        begun, edge = clock(), 0
        async for item in self._media(clip, self.length):
            edge = max(edge, _time(item))
        self.figures.stages.media_decode = _a_stride(clock() - begun, edge, self._config().stride)

    async def _hearing(self, clip: Clip) -> None:
        """The first half minute, heard as fast as it goes; words too, where there is a model."""
        length = min(self.length, PATIENCE)
        chunks = [c async for c in self._media(clip, length) if isinstance(c, AudioChunk)]
        if not chunks:
            return
        clock = asyncio.get_running_loop().time
        ears = self.listener.ears("en", patient=True)
        begun = clock()

        async def tell() -> None:
            for chunk in chunks:
                await ears.hear(chunk)
            await ears.finish()

        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(tell())
                async for _ in ears.findings():
                    pass
        finally:
            await ears.aclose()
        stride = self._config().stride
        self.figures.stages.vad_asr = _a_stride(clock() - begun, chunks[-1].when.end, stride)

    async def _replay(self, clips: Sequence[Clip]) -> None:
        """As the paper: every window in order, one at a time, by the given transcript."""
        config = replace(
            self._config(),
            pace=Pace.EVERY_WINDOW,
            placement=Placement.OFF,
            gaps=GapSource.TRANSCRIPT,
        )
        report, log, spent = Report(config.stride), EngineLog(self.model.opened.engine), 0.0
        beside = self.figures.stages
        for clip in clips:
            try:
                session = await self._drive(clip, config, report, log, self.length)
                spent += session.spent
            finally:
                self.figures = of_replay(report.windows, config.stride)
                add_tokens(self.figures, log.answers)
                stages = self.figures.stages
                stages.media_decode, stages.vad_asr = beside.media_decode, beside.vad_asr
                stages.session = round(spent / max(1, len(report.windows)), 5)

    async def _as_it_plays(self, clip: Clip) -> None:
        config = replace(self._config(), pace=Pace.NEWEST, gaps=GapSource.TRANSCRIPT)
        report, log = Report(config.stride), EngineLog(self.model.opened.engine)
        session = await self._drive(clip, config, report, log, self.live)
        self.figures.live = of_live(
            report.windows,
            list(report.standing.values()),
            report.dropped,
            stride=config.stride,
            skipped=session.stats().skipped,
        )

    async def _drive(
        self, clip: Clip, config: StreamConfig, report: Report, log: EngineLog, length: Ms
    ) -> ClockedSession:
        describer = self._describer(config, log)
        clock = asyncio.get_running_loop().time
        session = ClockedSession(config, clock, describer=describer.name, draft=describer.draft)

        async def announce(announcement: object) -> None:
            report.take(announcement)  # type: ignore[arg-type]

        media = self._media(clip, length)
        paced = at_play_speed(media) if config.pace is Pace.NEWEST else media
        facts = _with_words(paced, clip.words)
        try:
            await drive(facts, session, None, describer, EstimateVoice(), announce)
        finally:
            await describer.aclose()
        return session

    def _describer(self, config: StreamConfig, log: EngineLog) -> Describer:
        model = replace(self.model, opened=replace(self.model.opened, engine=log))
        made = model.maker()(config)
        return ForcedDescriber(made, model.manner.profile, log) if self.forced else made

    def _config(self) -> StreamConfig:
        return self.model.tune(StreamConfig())

    async def _media(self, clip: Clip, length: Ms) -> AsyncIterator[Media]:
        width = self.model.width
        options = IngestOptions() if width is None else IngestOptions(max_width=width)
        async with open_media(FileSource(clip.path), options) as media:
            async for item in media:
                if _time(item) >= length:
                    return
                yield item


async def _with_words(
    media: AsyncIterator[Media], words: tuple[Word, ...]
) -> AsyncIterator[Media | Heard]:
    """What is said comes in place of listening, a little ahead of the sound."""
    left, told = sorted(words, key=lambda word: word.when), 0
    async for item in media:
        if isinstance(item, AudioChunk):
            if item.when.end + PATIENCE // 2 > told:
                told = item.when.end + PATIENCE
                due = [word for word in left if word.when.start < told]
                left = left[len(due) :]
                yield WordsKnown(told, tuple(due))
            yield SpeechKnown(item.when.end)
        yield item


def _time(item: Media) -> Ms:
    match item:
        case VideoFrame(t=t):
            return t
        case AudioChunk():
            return item.when.end
        case _:
            return 0


def _a_stride(seconds: float, media: Ms, stride: Ms) -> float | None:
    return round(seconds * stride / media, 4) if media else None
