"""Describing one source from beginning to end, in this process: what ``strad describe`` does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from service.describers import open_describers
from service.equipment import MakeDescriber
from service.listening_in import ListeningIn
from service.loading import load_listener
from service.model_choice import ModelChoice
from service.pacing import at_play_speed
from service.report import Report
from strad.speech import GapSource, Protect, Word
from strad.timeline import Ms
from strad_engines.weights import Weights
from streaming.announcement import Announcement
from streaming.config import Pace, StreamConfig
from streaming.describers.describer import Describer
from streaming.driver import drive
from streaming.ears import Ears
from streaming.hearing import Heard, WordsKnown
from streaming.ingest import IngestOptions, open_media
from streaming.listen import Listener
from streaming.media import AudioChunk, Media
from streaming.session import Session
from streaming.sources import Source
from streaming.voices.estimate import EstimateVoice
from streaming.voices.voice import Voice

CAPTIONS_AHEAD: Ms = 30_000
"""Captions of a whole file are told this far ahead of the media."""

Watch = Callable[[Announcement, Ms | None], None]
"""Told of every announcement, with the length of the whole media where it is known."""


@dataclass(slots=True)
class Description:
    """One run over one source. Its report holds what was said, however the run ended."""

    source: Source
    config: StreamConfig
    ears: Ears | None
    """None: captions say where there is speech."""
    describer: Describer
    voice: Voice
    captions: Sequence[Word] | None
    """The words, where a captions file takes the place of ASR."""
    session: Session
    report: Report
    ingest: IngestOptions | None = None
    said: tuple[str, ...] = ()
    """Lines for a person: what serves the model, and how."""
    asked: Mapping[str, object] = field(default_factory=dict)
    """What changes the model's answers, where there is a model."""
    wall: float = 0.0
    """Seconds from the first media to the end of the work."""
    media: Ms | None = None
    """How long the media is, where it says so."""

    async def run(self, watch: Watch) -> None:
        """Until the end of the media. Raises MediaError and its kinds, WorkError."""
        clock = asyncio.get_running_loop().time
        begun = clock()
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.describer.aclose)
            media = await stack.enter_async_context(open_media(self.source, self.ingest))

            async def announce(announcement: Announcement) -> None:
                self.report.take(announcement)
                self.wall = clock() - begun
                self.media = media.duration
                watch(announcement, media.duration)

            live = self.config.pace is Pace.NEWEST
            facts = self._with_captions(at_play_speed(media) if live else media)
            ears = self.ears and ListeningIn(self.ears, self.report.hear)
            await drive(facts, self.session, ears, self.describer, self.voice, announce)
        self.wall = clock() - begun

    async def _with_captions(self, media: AsyncIterator[Media]) -> AsyncIterator[Media | Heard]:
        if self.captions is None:
            async for item in media:
                yield item
            return
        left = sorted(self.captions, key=lambda word: word.when)
        told = 0
        async for item in media:
            if isinstance(item, AudioChunk) and item.when.end + CAPTIONS_AHEAD // 2 > told:
                told = item.when.end + CAPTIONS_AHEAD
                due = [word for word in left if word.when.start < told]
                left = left[len(due) :]
                yield WordsKnown(told, tuple(due))
            yield item


@dataclass(frozen=True, slots=True)
class Workbench:
    """The models a run needs, loaded once for all the sources it describes."""

    listener: Listener
    make: MakeDescriber
    tune: Callable[[StreamConfig], StreamConfig]
    ingest: IngestOptions | None = None
    said: tuple[str, ...] = ()
    """Lines for a person: what serves the model, and how."""
    asked: Mapping[str, object] = field(default_factory=dict)
    """What changes the model's answers, where there is a model."""

    def describe(
        self, source: Source, config: StreamConfig, captions: Sequence[Word] | None = None
    ) -> Description:
        """A run over one source; ``captions`` take the place of speech recognition."""
        config = self.tune(config)
        ears = self._ears(config, captioned=captions is not None)
        made = self.make(config)
        return Description(
            source=source,
            config=config,
            ears=ears,
            describer=made,
            voice=EstimateVoice(),
            captions=captions,
            session=Session(config, describer=made.name, draft=made.draft),
            report=Report(config.stride),
            ingest=self.ingest,
            said=self.said,
            asked=self.asked,
        )

    def _ears(self, config: StreamConfig, *, captioned: bool) -> Ears | None:
        plain = config.protect is Protect.SPEECH
        if captioned and plain and config.gaps is GapSource.TRANSCRIPT:
            return None
        listener = self.listener
        if captioned:
            listener = Listener(listener.vad, None, listener.pool)
        patient = config.pace is Pace.EVERY_WINDOW
        return listener.ears(config.language, patient=patient, protect=config.protect)


@asynccontextmanager
async def workbench(
    *,
    describer: str = "facts",
    asr: str = "base",
    weights: Weights,
    choice: ModelChoice | None = None,
) -> AsyncIterator[Workbench]:
    """Everything loaded. Raises MissingModelError, InputError."""
    async with (
        open_describers([describer], weights, choice) as opened,
        load_listener(weights, asr) as listener,
    ):
        ((name, make),) = opened.makers.items()
        yield Workbench(
            listener,
            make,
            lambda config: opened.tune(name, config),
            None if opened.width is None else IngestOptions(max_width=opened.width),
            opened.said,
            opened.asked(name),
        )


@asynccontextmanager
async def prepared(
    source: Source,
    config: StreamConfig,
    *,
    describer: str = "facts",
    asr: str = "base",
    captions: Sequence[Word] | None = None,
    weights: Weights,
    choice: ModelChoice | None = None,
) -> AsyncIterator[Description]:
    """A run with everything it needs loaded; ``captions`` take the place of ``asr``.

    Raises MissingModelError, InputError.
    """
    listening = asr if captions is None else "off"
    async with workbench(
        describer=describer, asr=listening, weights=weights, choice=choice
    ) as bench:
        yield bench.describe(source, config, captions)
