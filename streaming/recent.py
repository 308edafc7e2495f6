"""Recent media: the pictures, sound and words a window may need, and no more. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from strad.cues import Cue
from strad.speech import Word
from strad.timeline import Interval, Ms
from streaming.media import AudioChunk, VideoFrame
from streaming.window import KnownFact, Window

AHEAD: Ms = 30_000
"""Media may run this far ahead of the cursor before the oldest is let go."""


class RecentMedia:
    """Keeps the last ``window`` of pictures and sound and the last ``context`` of words."""

    def __init__(self, window: Ms, context: Ms, words: Iterable[Word] = (), since: Ms = 0) -> None:
        self._window = window
        self._context = context
        self._frames: deque[VideoFrame] = deque()
        self._audio: deque[AudioChunk] = deque()
        self._words = deque(words)
        self.since = since
        """What was seen and heard before belongs to another place of the programme."""

    @property
    def words(self) -> tuple[Word, ...]:
        """All that are remembered."""
        return tuple(self._words)

    def add_frame(self, frame: VideoFrame) -> None:
        """Take the next picture; times rise."""
        self._frames.append(frame)
        oldest = frame.t - self._window - AHEAD
        while self._frames[0].t < oldest:
            self._frames.popleft()

    def add_audio(self, chunk: AudioChunk) -> None:
        """Take the next sound; times rise."""
        self._audio.append(chunk)
        oldest = chunk.when.end - self._window - AHEAD
        while self._audio[0].when.end < oldest:
            self._audio.popleft()

    def add_words(self, words: tuple[Word, ...]) -> None:
        """Take words that are final."""
        self._words.extend(words)

    def start_over(self, at: Ms) -> None:
        """What was seen and heard before ``at`` belongs to another place of the programme."""
        self.since = at

    def forget(self, before: Ms) -> None:
        """Let go of what no window that ends at or after ``before`` can hold."""
        while self._frames and self._frames[0].t < before - self._window:
            self._frames.popleft()
        while self._audio and self._audio[0].when.end < before - self._window:
            self._audio.popleft()
        while self._words and self._words[0].when.end < before - self._context:
            self._words.popleft()

    def window(
        self,
        step: Interval,
        *,
        since: Ms = 0,
        words_final_to: Ms,
        history: tuple[Cue, ...],
        gap: Interval,
        speech: tuple[Interval, ...],
        language: str,
        protected: tuple[Interval, ...] = (),
        facts: tuple[KnownFact, ...] = (),
    ) -> Window:
        """The window at the cursor ``step.end``, reached by the step from ``step.start``.

        Nothing before ``since`` is shown.
        """
        if self.since < step.end:  # what is told of may still lie ahead
            since = max(since, self.since)
        when = Interval(max(since, step.end - self._window), step.end)
        context_start = max(since, step.end - self._context)
        return Window(
            when=when,
            frames=tuple(f for f in self._frames if self._shows(f, when, since)),
            audio=tuple(
                c for c in self._audio if c.when.start >= when.start and c.when.end <= when.end
            ),
            words=tuple(
                w for w in self._words if context_start <= w.when.start and w.when.end <= step.end
            ),
            words_final_to=min(words_final_to, step.end),
            history=history,
            gap=gap,
            new_from=step.start,
            speech=speech,
            language=language,
            protected=protected,
            facts=facts,
        )

    def _shows(self, frame: VideoFrame, when: Interval, since: Ms) -> bool:
        """A window of 8 s holds 8 frames a second apart; the first of a stream also holds t 0."""
        if frame.t == when.start:
            return when.start == since and when.duration < self._window
        return when.start < frame.t <= when.end
