"""What a viewer may ask of the server, on the WebSocket it watches with.

Each request is answered by one message that names it in ``answers``: its ``id``, or its ``type``
where it has none. What it prefers can be said in the address too, and then holds from the start.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter, model_validator

from strad.decision import Kind
from strad.errors import ProtocolError
from strad.flag import FlagKind, Note, ViewerName
from strad.wire.message import Count, Message, Name, Part, Seconds, parse

MAX_ASKED = 4_096
"""The longest request, in characters."""

MOST_MISSED = 100
"""The most AD that one answer to ``missed`` holds."""

Answerable = Annotated[str | None, Field(max_length=100)]
"""The viewer's own name for the request."""


class FormChoice(StrEnum):
    """Which length of a description a viewer wants. Whichever it gets fits the AD's time."""

    PLACED = "placed"
    """The one that was placed."""
    SHORT = "short"
    """The shortest on offer."""
    LONG = "long"
    """The longest that can be said in the AD's time, at most a quarter faster than usual."""


class Extra(StrEnum):
    """What a viewer can be told beside what is said. It is not kept: none comes again."""

    TRANSCRIPT = "transcript"
    """Words, once final."""
    GAPS = "gaps"
    """Gaps between speech, as they open and close."""


class Wishes(Part):
    """Less or more than everything that is said."""

    kinds: Annotated[tuple[Kind, ...], Field(max_length=len(Kind))] | None = None
    """AD of these kinds only. Null: of all."""
    form: FormChoice = FormChoice.PLACED
    extras: Annotated[tuple[Extra, ...], Field(max_length=len(Extra))] = ()


class Prefer(Wishes, Message):
    """From now on tell me this, in place of what I wished before. Answered by ``preferred``."""

    type: Literal["prefer"] = "prefer"
    id: Answerable = None


class AskMissed(Message):
    """What was said while I was away? Answered by ``missed``."""

    type: Literal["missed"] = "missed"
    id: Answerable = None
    after: Count | None = None
    """After this ``seq`` of the log that the hello names."""
    since: Seconds | None = None
    """What began at this media time or later."""
    until: Seconds | None = None
    """What began before this media time. Null: up to the newest."""
    most: Annotated[int, Field(ge=1, le=MOST_MISSED)] = 20
    """The newest so many."""

    @model_validator(mode="after")
    def _says_since_when(self) -> AskMissed:
        if self.after is None and self.since is None:
            raise ValueError("say since when: after (a seq) or since (a media time)")
        return self


class AskScene(Message):
    """Who and what is on screen? Answered by ``scene``."""

    type: Literal["scene"] = "scene"
    id: Answerable = None
    at: Seconds | None = None
    """The viewer's playhead, in media time. Null: where the stream's viewers are."""


class Finding(Part):
    """What a viewer found wrong with a description."""

    kind: FlagKind
    note: Note = ""
    """In the viewer's words; nothing about the viewer belongs here."""
    by: ViewerName | None = None
    """A random word of the client's own, to tell its viewers apart; null: those of one key are one.

    Said again by the same viewer, a finding counts once; the newest note is kept.
    """


class Flag(Finding, Message):
    """A description is wrong, or came too late. Answered by ``flagged``."""

    type: Literal["flag"] = "flag"
    id: Answerable = None
    event: Name
    """``id`` of the AD."""


AskMessage: TypeAlias = Annotated[Prefer | AskMissed | AskScene | Flag, Field(discriminator="type")]
Ask: TypeAlias = Prefer | AskMissed | AskScene | Flag

ASK: TypeAdapter[Ask] = TypeAdapter(AskMessage)


def parse_from_viewer(text: str | bytes) -> Ask:
    """Raises ProtocolError, UnknownMessageError."""
    if len(text) > MAX_ASKED:
        raise ProtocolError(f"a request longer than {MAX_ASKED} characters")
    return parse(ASK, text)
