"""What the server says to a viewer. All but the hello lie in the stream's log, by ``seq``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from strad import timeline
from strad.cues import AdEvent, Cue
from strad.decision import MAX_FORMS, Kind
from strad.timeline import Interval, from_seconds, to_seconds
from strad.wire.answering import Error, Summary, Warning
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


class StreamState(StrEnum):
    """How far a stream is."""

    WAITING = "waiting"
    """Nobody publishes it yet."""
    LIVE = "live"
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


class End(Message):
    """Nothing more will be said on this stream."""

    type: Literal["end"] = "end"
    seq: Count
    summary: Summary | None = None
    """Null where the stream failed; an error came before."""


Logged: TypeAlias = State | Ad | Withdraw | Warning | Error | End
"""What a stream's log holds, in order of ``seq``."""

ViewerMessage: TypeAlias = Annotated[
    ViewerHello | State | Ad | Withdraw | Warning | Error | End, Field(discriminator="type")
]

VIEWER_MESSAGE: TypeAdapter[ViewerHello | Logged] = TypeAdapter(ViewerMessage)


def parse_for_viewer(text: str | bytes) -> ViewerHello | Logged:
    """Raises ProtocolError, UnknownMessageError."""
    return parse(VIEWER_MESSAGE, text)
