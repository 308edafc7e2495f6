"""Memory: what one stream must not forget, so that another Session goes on where one stopped. Pure.

What it does not hold is lost with its Session, and only that: pictures and sound (the last
``window`` of them), questions that were open (they are asked no more), and descriptions whose
spoken length was not known yet.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from strad.cues import AdEvent
from strad.speech import Word
from strad.timeline import Epoch, Ms
from streaming.board import Waiting
from streaming.clock import Reached
from streaming.gaps import SpeechSoFar
from streaming.protected import ProtectedSoFar
from streaming.said import SaidText, to_player
from streaming.stats import SessionStats
from streaming.window import KnownFact


@dataclass(frozen=True, slots=True)
class Memory:
    """All of it, as it was at one moment."""

    reached: Reached = field(default_factory=Reached)
    promised: Ms = 0
    """Nothing is spoken that a live edge here rules out: viewers may know that nothing comes."""
    cursor: Ms = 0
    skipped: int = 0
    question: int = 0
    """Number of the newest question."""
    number: int = 0
    """Number of the newest event."""
    epoch: Epoch = field(default=Epoch(0, 0))
    since: Ms = 0
    """Where the newest epoch began to count for what is seen and heard."""
    speech: SpeechSoFar = field(default=SpeechSoFar())
    words: tuple[Word, ...] = ()
    protected: ProtectedSoFar = field(default=ProtectedSoFar())
    names: tuple[KnownFact, ...] = ()
    events: tuple[AdEvent, ...] = ()
    """Those that stand, as far back as they take time from others."""
    said: tuple[SaidText, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    """What is decided, measured, and has no time yet."""
    stats: SessionStats | None = None

    def announced(self, event: AdEvent) -> Memory:
        """The same, with an event that was announced after it was taken."""
        if event.seq <= self.number:
            return self
        waited = tuple(w for w in self.waiting if w.describe.forms == event.forms)
        text = SaidText(to_player(event.cue.when, event.epoch), event.forms[-1], event.cue.language)
        edge = max(self.reached.live_edge, event.cue.when.start + event.lag_emit)
        return replace(
            self,
            reached=Reached(self.reached.now, edge, edge),
            cursor=max(self.cursor, event.window_end),
            number=event.seq,
            events=(*self.events, event),
            said=self.said if waited else (*self.said, text),
            waiting=tuple(w for w in self.waiting if w not in waited),
            stats=self.stats and self.stats._replace(events=self.stats.events + 1),
        )

    def withdrawn(self, event_id: str) -> Memory:
        """The same, with an event that was taken back after it was taken."""
        gone = next((event for event in self.events if event.id == event_id), None)
        if gone is None:
            return self
        texts = list(self.said)
        for text in reversed(texts):
            if text.text == gone.forms[-1]:
                texts.remove(text)
                break
        return replace(
            self,
            events=tuple(event for event in self.events if event is not gone),
            said=tuple(texts),
            stats=self.stats and self.stats._replace(withdrawn=self.stats.withdrawn + 1),
        )
