"""Whole videos described as a stream would be: StrAD's protocol, words from the transcript."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from strad.cues import AdEvent, Cue
from strad.decision import FAILURES, Describe, Wait
from strad.efficiency import Outcome, WindowLog
from strad.speech import GapSource, Word
from strad.timeline import Ms, to_seconds
from streaming.announcement import Announcement, WindowAsked, Withdrawn
from streaming.config import Pace, Placement, StreamConfig
from streaming.describers.describer import Describer
from streaming.hearing import Heard, WordsKnown
from streaming.ingest import open_media
from streaming.media import AudioChunk, Media, VideoFrame
from streaming.replay import replay
from streaming.session import Session
from streaming.sources import FileSource
from streaming.voices.estimate import EstimateVoice
from training.material import Material

CHUNK: Ms = 30 * 60 * 1000
"""The paper evaluates in 30-minute chunks (StrAD, 5.1)."""
AHEAD: Ms = 30_000
"""Words are told so far ahead of the media."""


@dataclass(slots=True)
class Described:
    """What was said about one video, and what each window cost."""

    video: str
    events: dict[str, AdEvent] = field(default_factory=dict)
    windows: list[WindowLog] = field(default_factory=list)

    @property
    def cues(self) -> list[Cue]:
        """What stands, by start."""
        return sorted((event.cue for event in self.events.values()), key=lambda cue: cue.when)

    async def take(self, announcement: Announcement) -> None:
        """Write one announcement down."""
        match announcement:
            case AdEvent():
                self.events[announcement.id] = announcement
            case Withdrawn():
                self.events.pop(announcement.event_id, None)
            case WindowAsked():
                self.windows.append(_logged(self.video, announcement))
            case _:
                pass


async def describe(material: Material, describer: Describer) -> Described:
    """Every window in order, as fast as it is answered. Raises MediaError, DescriberError."""
    config = StreamConfig(
        placement=Placement.OFF,
        gaps=GapSource.TRANSCRIPT,
        pace=Pace.EVERY_WINDOW,
        chunk=CHUNK,
        in_flight=1,
        names=False,
        language=material.language,
    )
    found = Described(material.id)
    session = Session(config, describer=describer.name, draft=describer.draft)
    async with open_media(FileSource(material.media)) as media:
        facts = _with_words(media, material.words)
        await replay(facts, session, None, describer, EstimateVoice(), found.take)
    return found


async def _with_words(
    media: AsyncIterator[Media], words: Sequence[Word]
) -> AsyncIterator[Media | Heard]:
    left, told = sorted(words, key=lambda word: word.when), 0
    async for item in media:
        if isinstance(item, AudioChunk | VideoFrame) and item.t + AHEAD // 2 > told:
            told = item.t + AHEAD
            due = [word for word in left if word.when.start < told]
            left = left[len(due) :]
            yield WordsKnown(told, tuple(due))
        yield item


def _logged(video: str, asked: WindowAsked) -> WindowLog:
    decision = asked.decision
    said = decision if isinstance(decision, Describe) else None
    reason = decision.reason if isinstance(decision, Wait) else None
    waited = Outcome.FAILED if reason in FAILURES else Outcome.WAIT
    return WindowLog(
        video_id=video,
        cursor=to_seconds(asked.cursor),
        advance=to_seconds(asked.advance),
        wall=asked.wall,
        decision=Outcome.AD if said else waited,
        reason=str(reason) if reason else None,
        odds=decision.odds,
        ad_start=to_seconds(said.when.start) if said else None,
        emitted_at=to_seconds(asked.emitted_at),
        stages=dict(asked.stages),
    )
