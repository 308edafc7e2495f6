"""Media time of one stream: what has arrived, what is known, and what is dealt with. Pure."""

from __future__ import annotations

from typing import NamedTuple

from strad.timeline import Ms
from streaming.config import Pace, StreamConfig
from streaming.gaps import SpeechTimeline
from streaming.media import AudioChunk, VideoFrame
from streaming.protected import ProtectedTimeline

TICK: Ms = 100
"""Media time advances in steps of this."""

PICTURES_MAY_LAG: Ms = 5_000
"""When sound is this far ahead of the pictures, the pictures have stopped: go on without."""


class Reached(NamedTuple):
    """How far a stream has come."""

    now: Ms = 0
    """All media before this is dealt with."""
    video_to: Ms = 0
    audio_to: Ms = 0

    @property
    def live_edge(self) -> Ms:
        """Newest media time."""
        return max(self.video_to, self.audio_to)


class MediaClock:
    """Advances in ticks up to the point to which both pictures and speech are decided."""

    def __init__(
        self, config: StreamConfig, reached: Reached | None = None, promised: Ms = 0
    ) -> None:
        """``promised``: the playhead counts as if the live edge were at least there."""
        self._config = config
        self.promised = promised
        self.now, self._video_to, self._audio_to = reached or Reached()
        self.ended = False
        """Whether no more media will come."""

    def arrived(self, media: VideoFrame | AudioChunk) -> None:
        """The next picture or sound is here."""
        if isinstance(media, VideoFrame):
            self._video_to = max(self._video_to, media.t)
        else:
            self._audio_to = max(self._audio_to, media.when.end)

    @property
    def reached(self) -> Reached:
        """To be gone on from, by another clock."""
        return Reached(self.now, self._video_to, self._audio_to)

    @property
    def live_edge(self) -> Ms:
        """Newest media time."""
        return max(self._video_to, self._audio_to)

    @property
    def edge(self) -> Ms:
        """The live edge that viewers' delay is counted from. In replay there is none but now."""
        return self.now if self._config.pace is Pace.EVERY_WINDOW else self.live_edge

    @property
    def playhead(self) -> Ms:
        """Where the stream's viewers are."""
        return max(self.edge, self.promised) - self._config.delay

    @property
    def over(self) -> bool:
        """Whether the media has ended and all of it is dealt with."""
        return self.ended and self.now >= self.live_edge

    def known(self, speech: SpeechTimeline, protected: ProtectedTimeline | None = None) -> Ms:
        """Up to here pictures, speech and protected sounds are decided; in replay, words too."""
        if self.ended:
            return self.live_edge
        heard = speech.known_to if protected is None else protected.known_to(speech.known_to)
        if self._config.pace is Pace.EVERY_WINDOW:
            heard = min(heard, speech.words_final_to)
        seen = self._video_to + self._config.frame_period - 1
        return min(heard, max(seen, self._audio_to - PICTURES_MAY_LAG))

    def tick(self, known: Ms) -> bool:
        """Go on by one tick, or by what is left at the end. False when it is too early."""
        ahead = known - self.now
        if ahead <= 0 or (ahead < TICK and not self.ended):
            return False
        self.now += min(TICK, ahead)
        return True
