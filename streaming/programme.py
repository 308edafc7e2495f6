"""The programme as far as it is known: seen, heard, said; and the free time in it. Pure."""

from __future__ import annotations

from typing import assert_never

from strad.cues import AdEvent
from strad.decision import Describe, Kind
from strad.timeline import Epoch, Interval, Ms, merge, subtract
from streaming.announced import Announced
from streaming.announcement import Withdrawn
from streaming.board import Waiting
from streaming.clock import MediaClock
from streaming.config import StreamConfig
from streaming.gaps import SpeechTimeline
from streaming.hearing import Heard, SoundsKnown, SpeechKnown, Unheard, WordsKnown
from streaming.media import AudioChunk, VideoFrame
from streaming.memory import Memory
from streaming.names import NameBook
from streaming.placement import Ground, Limits, Placed
from streaming.protected import ProtectedTimeline
from streaming.questions import Question
from streaming.recent import RecentMedia
from streaming.said import Said
from streaming.window import Window

LIMITS = Limits()

AROUND: Ms = 20_000
"""No cue is placed further than this from what is known."""


class Programme:
    """Knows what a question may show, and where an answer may be spoken."""

    def __init__(
        self, config: StreamConfig, memory: Memory, *, describer: str, draft: bool
    ) -> None:
        self._config = config
        self.recent = RecentMedia(config.window, config.context, memory.words, memory.since)
        self.said = Said(config.context, memory.said)
        self.announced = Announced(
            describer=describer,
            draft=draft,
            language=config.language,
            delay=config.delay,
            number=memory.number,
            events=memory.events,
        )
        self.speech = SpeechTimeline(config.gaps, memory.speech)
        self.protected = ProtectedTimeline(config.protect, memory.protected)
        self.names = NameBook(config.language if config.names else None, memory.names)
        self.epoch = memory.epoch

    def see(self, media: VideoFrame | AudioChunk) -> None:
        """Keep the next picture or sound."""
        if isinstance(media, VideoFrame):
            self.recent.add_frame(media)
        else:
            self.recent.add_audio(media)

    def hear(self, heard: Heard) -> None:
        """Learn of speech and words."""
        match heard:
            case SpeechKnown():
                self.speech.hear(heard)
            case WordsKnown():
                self.recent.add_words(heard.words)
                self.speech.read(heard)
                self.names.hear(heard.words)
            case SoundsKnown(until, spans):
                self.protected.hear(until, spans)
            case Unheard(when):
                self.speech.miss(when)
                self.protected.hear(when.end)
            case never:
                assert_never(never)

    def read(self, describe: Describe, question: Question) -> None:
        """Learn of the names on screen, where a description says what can be read there."""
        if describe.kind is Kind.TEXT:
            self.names.read(describe.forms[-1], question.step.end)

    def taken(self, within: Interval) -> list[Interval]:
        """Where inside ``within`` nothing may be said: speech, and sounds that are protected."""
        protected = self.protected.spans(within)
        speech = self.speech.speech(within)
        return merge([*speech, *protected]) if protected else speech

    def take_back(self, clock: MediaClock) -> list[Withdrawn]:
        """Withdraw AD that turns out to lie on speech; the listener was not told it."""
        taken_back = self.announced.take_back(
            self.taken, self.speech.missed, clock.now, clock.playhead
        )
        for event, _ in taken_back:
            self.said.unsay(event.forms)
        return [withdrawn for _, withdrawn in taken_back]

    def start_epoch(self, epoch: Epoch) -> None:
        """From here on the player is somewhere else, or moves at another rate."""
        self.epoch = epoch
        self.recent.start_over(epoch.stream)

    def free_span(self, step: Interval) -> Interval | None:
        """The newest span of no speech and no AD, long enough, that touches the step."""
        around = Interval(max(0, step.start - self._config.window), step.end)
        busy = [*self.taken(around), *self.announced.times()]
        spans = [
            span
            for span in subtract(around, busy)
            if span.duration >= self._config.min_gap and span.end > step.start
        ]
        return spans[-1] if spans else None

    def window(self, step: Interval, gap: Interval) -> Window:
        """What the describer may look at, at the end of this step."""
        since = self._config.chunk_start(step.start)
        looked_at = Interval(max(since, step.end - self._config.window), step.end)
        history = self.said.history(step.end, self.epoch)
        return self.recent.window(
            step,
            since=since,
            words_final_to=self.speech.words_final_to,
            history=tuple(cue for cue in history if since <= cue.when.start),
            gap=gap,
            speech=tuple(self.speech.speech(looked_at)),
            protected=tuple(self.protected.spans(looked_at)),
            facts=self.names.facts(since, step.end),
            language=self._config.language,
        )

    def ground(self, clock: MediaClock) -> Ground:
        """Where a description may be spoken, by what is known now."""
        known_to = clock.now
        earliest = clock.playhead + (self._config.lead if self._config.delay else 0)
        end = known_to if clock.over else max(0, known_to - LIMITS.before_speech)
        within = Interval(min(max(0, known_to - AROUND), end), end)
        speech = self.taken(Interval(within.start, known_to))
        busy = [
            *(_kept_free(span) for span in speech),
            *(span.widen(LIMITS.spacing) for span in self.announced.times()),
        ]
        free = subtract(within, busy)
        grows = bool(free) and free[-1].end == end and not clock.over
        return Ground(free, grows, earliest, known_to)

    def announce(self, waiting: Waiting, placed: Placed, edge: Ms) -> AdEvent:
        """Put a placed description on record."""
        return self.announced.post(
            waiting.describe, placed, cursor=waiting.cursor, edge=edge, epoch=waiting.epoch
        )

    def forget(self, cursor: Ms) -> None:
        """Let go of what nothing after this cursor can need."""
        oldest = cursor - self._config.context - self._config.delay
        self.recent.forget(cursor - self._config.stride)
        self.speech.forget(oldest)
        self.protected.forget(oldest)
        self.announced.forget(oldest)


def _kept_free(speech: Interval) -> Interval:
    return Interval(speech.start - LIMITS.before_speech, speech.end + LIMITS.after_speech)
