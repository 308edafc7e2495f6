"""What a publisher says to the server, beside binary messages that carry the media's bytes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, StringConstraints, TypeAdapter, model_validator

from strad.speech import GapSource, Protect
from strad.wire.message import (
    VERSION,
    Language,
    Message,
    Name,
    Part,
    Rate,
    Seconds,
    Text,
    parse,
)

MAX_CAPTIONS = 500
"""The most cues of one captions message."""


class Container(StrEnum):
    """What the binary messages hold, one after the other. Named by the sender and pinned."""

    WEBM = "webm"
    MATROSKA = "matroska"
    MP4 = "mp4"
    """Fragmented, or with its index (moov) in front."""
    MPEGTS = "mpegts"
    FLV = "flv"
    OGG = "ogg"
    FRAMED = "framed"
    """None: each message is one picture or one block of sound (``strad.wire.framed``)."""


class WordSource(StrEnum):
    """Where the stream's words come from."""

    LISTEN = "listen"
    """The server recognises speech."""
    CAPTIONS = "captions"
    """The publisher sends captions messages."""
    OFF = "off"
    """Nowhere: gaps come from voice activity alone."""


Token = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""An opaque text that the server gave out."""

Answerable = Annotated[str | None, Field(max_length=100)]
"""The sender's own name for the message; an error that answers it carries it in ``answers``."""


class Hello(Message):
    """The first message: how the stream is to be described."""

    type: Literal["hello"] = "hello"
    version: int = VERSION
    id: Answerable = None
    container: Container
    language: Language = "en"
    delay: Annotated[Seconds | None, Field(le=120)] = None
    """How far the viewers' playhead runs behind the live edge. Null: the server's own."""
    stride: Annotated[float | None, Field(ge=0.25, le=60)] = None
    """Seconds of media between two windows. Null: the server's own."""
    describer: Name | None = None
    """One of those the server offers. Null: its default."""
    gaps: GapSource = GapSource.UNION
    transcript: WordSource = WordSource.LISTEN
    protect: Protect = Protect.SPEECH
    """What no description covers, beside speech. More than speech takes a delay of 8 s or more."""
    resume: Token | None = None
    """``resume`` of an earlier ready: go on with that stream. All but ``container`` and ``at`` is
    then as it was agreed."""
    at: Seconds | None = None
    """Stream time at which the first media to come lies. Null: where the stream has come to."""


class CaptionCue(Part):
    """Words spoken during [start, end)."""

    start: Seconds
    end: Seconds
    text: Text

    @model_validator(mode="after")
    def _in_order(self) -> CaptionCue:
        if self.end < self.start:
            raise ValueError("a caption ends before it starts")
        return self


class Captions(Message):
    """Final captions; no other one will start before ``until``."""

    type: Literal["captions"] = "captions"
    id: Answerable = None
    cues: Annotated[tuple[CaptionCue, ...], Field(max_length=MAX_CAPTIONS)] = ()
    until: Seconds


class Epoch(Message):
    """A seek, another source or rate: from ``stream`` on the player shows ``player``."""

    type: Literal["epoch"] = "epoch"
    id: Answerable = None
    stream: Seconds | None = None
    """Null: from the newest media decoded so far."""
    player: Seconds
    rate: Rate = 1.0


class Pause(Message):
    """The player was paused: media time stands still, and nothing is late for it."""

    type: Literal["pause"] = "pause"
    id: Answerable = None


class Play(Message):
    """The player plays on."""

    type: Literal["play"] = "play"
    id: Answerable = None


class KeepAlive(Message):
    """The publisher is still there. Advances no media time."""

    type: Literal["keepalive"] = "keepalive"
    id: Answerable = None
    sent: Seconds | None = None
    """Newest media time sent so far, by the sender's own clock."""


class Finish(Message):
    """No more media will come: say what is still to be said, then send the summary."""

    type: Literal["finish"] = "finish"
    id: Answerable = None


FromPublisher: TypeAlias = Hello | Captions | Epoch | Pause | Play | KeepAlive | Finish

PublisherMessage: TypeAlias = Annotated[
    Hello | Captions | Epoch | Pause | Play | KeepAlive | Finish, Field(discriminator="type")
]

PUBLISHER_MESSAGE: TypeAdapter[FromPublisher] = TypeAdapter(PublisherMessage)


def parse_from_publisher(text: str | bytes) -> FromPublisher:
    """Raises ProtocolError, UnknownMessageError."""
    return parse(PUBLISHER_MESSAGE, text)
