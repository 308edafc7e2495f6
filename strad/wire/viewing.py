"""What the server says to a viewer: what the stream's log holds, by ``seq``, and what it does not.

The hello, answers to requests, words and gaps have no ``seq``: they are never told again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from strad import timeline
from strad.cues import AdEvent, Cue
from strad.decision import MAX_FORMS, Kind
from strad.flag import FlagKind
from strad.timeline import Interval, from_seconds, to_seconds
from strad.wire.answering import Error, Summary, Warning
from strad.wire.asking import MOST_MISSED, Wishes
from strad.wire.message import (
    MAX_TEXT,
    VERSION,
    Count,
    Language,
    Message,
    Name,
    Part,
    Rate,
    Seconds,
    SignedSeconds,
    Text,
    parse,
)

MAX_WORDS = 500
"""The most words of one message."""


class StreamState(StrEnum):
    """How far a stream is."""

    WAITING = "waiting"
    """Nobody publishes it yet."""
    LIVE = "live"
    INTERRUPTED = "interrupted"
    """Its publisher is gone, and may yet come back."""
    DRAINING = "draining"
    """The media has ended; something may still be said."""
    ENDED = "ended"


class About(Part):
    """How the stream is described."""

    describer: Name
    draft: bool
    """Whether it is draft quality and must be labelled so."""
    delay: Seconds
    """How far the viewers' playhead should run behind the live edge."""
    language: Language


class ViewerHello(Message):
    """The first message to a viewer."""

    type: Literal["hello"] = "hello"
    version: int = VERSION
    stream: Name
    log: Name
    """Names this log. A viewer that resumes gives it back: another log starts again at 1."""
    state: StreamState
    last: Count
    """``seq`` of the newest message in the log, 0 where it is empty."""
    about: About | None = None
    """Null while nobody has published it."""
    audio: bool = False
    """Whether the service says descriptions itself: ``GET .../descriptions/ID.wav``."""


class State(Message):
    """The stream has moved on."""

    type: Literal["state"] = "state"
    seq: Count
    state: StreamState
    about: About | None = None


class PlayerClock(Part):
    """From ``stream`` on, the player shows ``player`` and moves at ``rate``."""

    stream: Seconds = 0.0
    player: Seconds = 0.0
    rate: Rate = 1.0


class Ad(Message):
    """One audio description, to be spoken during [start, end) of the stream."""

    type: Literal["ad"] = "ad"
    seq: Count
    id: Name
    number: Count
    """Counts the stream's AD from 1."""
    start: Seconds
    end: Seconds
    text: Text
    language: Language
    kind: Kind
    forms: Annotated[tuple[Text, ...], Field(max_length=MAX_FORMS)]
    """All lengths offered, short to long."""
    rate: Rate
    """How much faster than the voice's own rate it must be spoken to fit."""
    provisional: bool
    """Whether it may yet be withdrawn."""
    window_end: Seconds
    lag_cursor: SignedSeconds
    lag_emit: SignedSeconds
    late: bool
    draft: bool
    describer: Name
    epoch: PlayerClock = PlayerClock()

    @model_validator(mode="after")
    def _in_order(self) -> Ad:
        if self.end < self.start:
            raise ValueError("an AD ends before it starts")
        return self

    @classmethod
    def of(cls, event: AdEvent, seq: int) -> Ad:
        """The event as the log's message ``seq``. What is longer than a text may be is cut."""
        when = event.cue.when
        epoch = event.epoch
        return cls(
            seq=seq,
            id=event.id,
            number=event.seq,
            start=to_seconds(when.start),
            end=to_seconds(when.end),
            text=event.cue.text[:MAX_TEXT],
            language=event.cue.language,
            kind=event.kind,
            forms=tuple(form[:MAX_TEXT] for form in event.forms),
            rate=event.rate,
            provisional=event.provisional,
            window_end=to_seconds(event.window_end),
            lag_cursor=to_seconds(event.lag_cursor),
            lag_emit=to_seconds(event.lag_emit),
            late=event.late,
            draft=event.draft,
            describer=event.describer,
            epoch=PlayerClock(
                stream=to_seconds(epoch.stream), player=to_seconds(epoch.player), rate=epoch.rate
            ),
        )

    def event(self) -> AdEvent:
        """The event the message was made from."""
        clock = self.epoch
        return AdEvent(
            id=self.id,
            seq=self.number,
            cue=self.cue(),
            kind=self.kind,
            forms=self.forms,
            rate=self.rate,
            provisional=self.provisional,
            window_end=from_seconds(self.window_end),
            lag_cursor=from_seconds(self.lag_cursor),
            lag_emit=from_seconds(self.lag_emit),
            late=self.late,
            draft=self.draft,
            describer=self.describer,
            epoch=timeline.Epoch(
                from_seconds(clock.stream), from_seconds(clock.player), clock.rate
            ),
        )

    def cue(self) -> Cue:
        when = Interval(from_seconds(self.start), from_seconds(self.end))
        return Cue(when, self.text, self.language)


class Withdraw(Message):
    """The provisional AD ``id`` must stop, or not be spoken at all."""

    type: Literal["withdraw"] = "withdraw"
    seq: Count
    id: Name
    at: Seconds
    reason: Name
    """``speech``: somebody speaks under it, or a protected sound does. ``unheard``: media got lost
    there, and nobody knows who speaks in it. Others may be added."""
    edge: Seconds | None = None
    """Newest media time when it was withdrawn; null where it is not known."""


class End(Message):
    """Nothing more will be said on this stream."""

    type: Literal["end"] = "end"
    seq: Count
    summary: Summary | None = None
    """Null where the stream failed; an error came before."""


class SpokenWord(Part):
    """One word of the programme's own speech, or one caption, said during [start, end)."""

    start: Seconds
    end: Seconds
    text: Text


class Words(Message):
    """What the programme itself says. Final: none of it changes, and none comes twice."""

    type: Literal["words"] = "words"
    words: Annotated[tuple[SpokenWord, ...], Field(min_length=1, max_length=MAX_WORDS)]
    until: Seconds
    """No later word will start before this."""


class Gap(Message):
    """A gap between speech, by the stream's own rule for what is speech. Told twice.

    First when it is long enough to speak in, then when it closes.
    """

    type: Literal["gap"] = "gap"
    start: Seconds
    end: Seconds | None = None
    """Null while it is open."""


class Preferred(Wishes, Message):
    """Answers ``prefer``: what holds from the next message on."""

    type: Literal["preferred"] = "preferred"
    answers: str


class Missed(Message):
    """Answers ``missed``: AD that stands, by start, in the kinds and form the viewer wishes."""

    type: Literal["missed"] = "missed"
    answers: str
    ads: Annotated[tuple[Ad, ...], Field(max_length=MOST_MISSED)]
    more: bool
    """Whether there were more: older ones than these, or some that are no longer kept."""


class OnScreen(Part):
    """One thing that the describer made out."""

    kind: Kind
    text: Text
    start: Seconds
    end: Seconds
    """When it was seen; where it was spoken, when it was said."""
    age: Seconds
    """Seconds of media from ``end`` to the time asked about; 0 while it lasts."""
    spoken: bool
    """Whether it was said; else the describer made it out, but there was no room for it."""


class Scene(Message):
    """Answers ``scene``: the newest of each kind that was made out. Nothing is guessed at."""

    type: Literal["scene"] = "scene"
    answers: str
    at: Seconds
    """The time asked about."""
    draft: bool
    """Whether it is draft quality and must be labelled so."""
    things: Annotated[tuple[OnScreen, ...], Field(max_length=len(Kind))]
    """Newest first. Nothing older than the last seek, nor than five minutes."""


class Flagged(Message):
    """Answers ``flag``: it is kept, beside the description."""

    type: Literal["flagged"] = "flagged"
    answers: str
    event: Name
    kind: FlagKind
    again: bool
    """Whether this viewer had said so before; it counts once."""


Logged: TypeAlias = State | Ad | Withdraw | Warning | Error | End
"""What a stream's log holds, in order of ``seq``."""

Aside: TypeAlias = Words | Gap
"""What is told to whoever is there and wishes it, and kept nowhere."""

Reply: TypeAlias = Preferred | Missed | Scene | Flagged
"""What answers a viewer's request, where an error doesn't."""

LOGGED: TypeAdapter[Logged] = TypeAdapter(
    Annotated[State | Ad | Withdraw | Warning | Error | End, Field(discriminator="type")]
)

ForViewer: TypeAlias = ViewerHello | Logged | Aside | Reply

ViewerMessage: TypeAlias = Annotated[
    ViewerHello
    | State
    | Ad
    | Withdraw
    | Warning
    | Error
    | End
    | Words
    | Gap
    | Preferred
    | Missed
    | Scene
    | Flagged,
    Field(discriminator="type"),
]

VIEWER_MESSAGE: TypeAdapter[ForViewer] = TypeAdapter(ViewerMessage)


def parse_for_viewer(text: str | bytes) -> ForViewer:
    """Raises ProtocolError, UnknownMessageError."""
    return parse(VIEWER_MESSAGE, text)


def parse_logged(text: str | bytes) -> Logged:
    """A message as a log keeps it. Raises ProtocolError, UnknownMessageError."""
    return parse(LOGGED, text)
