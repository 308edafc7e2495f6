"""Pass 1, *listen*: all that is said, all gaps between it, and what must not be spoken over."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from strad.errors import cause_of
from strad.passes import Heard, PassName
from strad.speech import GapSource, Word
from strad.timeline import Interval, Ms, merge, to_seconds
from streaming.ears import Ears
from streaming.gaps import SpeechTimeline
from streaming.hearing import Heard as Finding
from streaming.hearing import SoundsKnown, SpeechKnown, Unheard, WordsKnown
from streaming.ingest import Ingest, open_media
from streaming.media import AudioChunk, VideoFrame
from streaming.prompt.elements import phrases
from streaming.protected import Protect
from streaming.tasks.document.config import DocumentConfig
from streaming.tasks.document.workshop import Workshop


class _Ledger:
    """What has been heard so far."""

    def __init__(self, config: DocumentConfig, captions: Sequence[Word] | None) -> None:
        self.speech = SpeechTimeline(config.gaps)
        self.words: list[Word] = sorted(captions or (), key=lambda word: word.when)
        self._captioned = captions is not None
        self.protected: list[Interval] = []

    def take(self, finding: Finding) -> None:
        match finding:
            case SpeechKnown():
                self.speech.hear(finding)
            case WordsKnown():
                if not self._captioned:
                    self.words += finding.words
                    self.speech.read(finding)
            case SoundsKnown(spans=spans):
                self.protected = merge([*self.protected, *spans])
            case Unheard(when):
                self.speech.miss(when)

    def close(self, end: Ms) -> None:
        """The media has ended: all is decided."""
        self.speech.hear(SpeechKnown(end))
        words = tuple(word for word in self.words if word.when.start < end)
        self.speech.read(WordsKnown(end, words if self._captioned else ()))


async def listen(shop: Workshop) -> tuple[list[Heard], Ms]:
    """The lines of the pass, and how long the media is.

    Raises MediaError and its kinds, WorkError.
    """
    ledger, ears = _Ledger(shop.config, shop.captions), shop.ears()
    try:
        async with open_media(shop.source, shop.ingest) as media, asyncio.TaskGroup() as tasks:
            if ears is not None:
                tasks.create_task(_findings(ears, ledger), name="listen")
            end = await _hear(media, ears, shop)
    except BaseExceptionGroup as group:
        raise cause_of(group) from None
    finally:
        if ears is not None:
            await ears.aclose()
    ledger.close(end)
    return list(lines_of(ledger.speech, ledger.words, ledger.protected, end, shop.config)), end


async def _findings(ears: Ears, ledger: _Ledger) -> None:
    async for finding in ears.findings():
        ledger.take(finding)


async def _hear(media: Ingest, ears: Ears | None, shop: Workshop) -> Ms:
    """Take in all sound; pictures pass by unseen. Where the media ends."""
    end: Ms = 0
    async for item in media:
        match item:
            case AudioChunk():
                end = max(end, item.when.end)
                if ears is not None:
                    await ears.hear(item)
            case VideoFrame(t=t):
                end = max(end, t)
                shop.told(PassName.LISTEN, t, media.duration)
            case _:
                pass
    if ears is not None:
        await ears.finish()
    return end


def lines_of(
    speech: SpeechTimeline,
    words: Iterable[Word],
    protected: Sequence[Interval],
    end: Ms,
    config: DocumentConfig,
) -> Iterator[Heard]:
    """Phrases, then gaps, then protected spans; each numbered by its kind."""
    ordered = sorted((w for w in words if w.when.start < end), key=lambda word: word.when)
    for n, phrase in enumerate(phrases(ordered), 1):
        yield _line(f"s{n}", "speech", phrase.when, phrase.text)
    for n, gap in enumerate(speech.gaps(Interval(0, end), config.min_gap), 1):
        yield Heard(
            id=f"g{n}", kind="gap", start=to_seconds(gap.when.start), end=to_seconds(gap.when.end)
        )
    for n, when in enumerate(protected, 1):
        yield _line(f"x{n}", "protected", when, "")


def _line(id: str, kind: str, when: Interval, text: str) -> Heard:
    start, end = to_seconds(when.start), to_seconds(when.end)
    return Heard.model_validate({"id": id, "kind": kind, "start": start, "end": end, "text": text})


def needs_ears(config: DocumentConfig, *, captioned: bool) -> bool:
    """Whether the sound is listened to at all."""
    told = captioned and config.gaps is GapSource.TRANSCRIPT
    return not told or config.protect is not Protect.SPEECH
