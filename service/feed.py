"""The feed: a stream's decoded media, with what its publisher tells about it in between."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TypeAlias, assert_never

from strad import timeline
from strad.cues import Cue
from strad.errors import ProtocolError
from strad.timeline import Interval, Ms, from_seconds
from strad.wire.publishing import CaptionCue, Captions, Epoch
from streaming import captions
from streaming.hearing import WordsKnown
from streaming.media import AudioChunk, EpochStarted, Media, VideoFrame

MOST_TOLD = 1_000
"""How many captions messages and epochs may wait for media to come."""

Told: TypeAlias = Captions | Epoch


class Feed:
    """What is told goes in before the next piece of media."""

    def __init__(self) -> None:
        self._told: deque[Told] = deque()
        self._captions_until: Ms = 0
        self._words = captions.Captions()
        self.live_edge: Ms = 0
        """Newest media time decoded so far."""

    def tell(self, told: Told) -> None:
        """Raises ProtocolError for captions that step back, or too many before any media."""
        if len(self._told) >= MOST_TOLD:
            raise ProtocolError(f"more than {MOST_TOLD} messages ahead of the media")
        if isinstance(told, Captions):
            self._check(told)
            self._captions_until = from_seconds(told.until)
        self._told.append(told)

    async def mix(self, pieces: AsyncIterator[Media]) -> AsyncGenerator[Media | WordsKnown, None]:
        """``pieces``, and all that is told until they end. Call it once."""
        async for media in pieces:
            while self._told:
                yield self._fact(self._told.popleft())
            match media:
                case VideoFrame():
                    self.live_edge = max(self.live_edge, media.t)
                case AudioChunk():
                    self.live_edge = max(self.live_edge, media.when.end)
            yield media
        while self._told:
            yield self._fact(self._told.popleft())

    def _check(self, captions: Captions) -> None:
        until = self._captions_until
        if from_seconds(captions.until) < until:
            raise ProtocolError(f"captions.until: steps back before {until / 1000:g} s")
        if any(from_seconds(cue.start) < until for cue in captions.cues):
            raise ProtocolError(
                f"captions.cues: one starts before {until / 1000:g} s, which was final"
            )

    def _fact(self, told: Told) -> EpochStarted | WordsKnown:
        match told:
            case Captions():
                cues = sorted(map(_cue, told.cues), key=lambda cue: cue.when)
                heard = [self._words.add(cue) for cue in cues]
                heard.append(self._words.quiet_to(from_seconds(told.until)))
                return WordsKnown(heard[-1].until, tuple(w for known in heard for w in known.words))
            case Epoch():
                at = self.live_edge if told.stream is None else from_seconds(told.stream)
                return EpochStarted(timeline.Epoch(at, from_seconds(told.player), told.rate))
        assert_never(told)


def _cue(cue: CaptionCue) -> Cue:
    return Cue(Interval(from_seconds(cue.start), from_seconds(cue.end)), cue.text)
