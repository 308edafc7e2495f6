"""What every message on the wire shares: its settings, its units, and how text becomes one."""

from __future__ import annotations

import json
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from strad.errors import ProtocolError, UnknownMessageError

VERSION = 1
"""The protocol's version. A peer that speaks another one is refused at its hello."""

MAX_CONTROL = 256 * 1024
"""The longest JSON text of one message, in characters."""

MAX_SECONDS = 100_000_000.0
"""Some three years: media times beyond it are a mistake, and milliseconds stay exact below it."""

Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS)]
"""A point on the stream's timeline, or a length of it, in seconds."""

SignedSeconds = Annotated[float, Field(ge=-MAX_SECONDS, le=MAX_SECONDS)]
"""A difference of two times, in seconds."""

Count = Annotated[int, Field(ge=0, le=2**53)]
Rate = Annotated[float, Field(gt=0, le=16)]
"""Media seconds a second of the player's clock, or how much faster a voice speaks."""

MAX_TEXT = 4_000
"""Characters: some four minutes of speech."""

Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
"""A BCP 47 tag."""

STREAM_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
"""What a stream may be called in an address."""


class Message(BaseModel):
    """One JSON object, told from others by its ``type``. Fields we don't know are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", allow_inf_nan=False)

    def to_json(self) -> str:
        """The message as JSON, without the fields that are null."""
        return self.model_dump_json(exclude_none=True)


class Part(BaseModel):
    """A piece inside messages, without a type of its own."""

    model_config = Message.model_config


Parsed = TypeVar("Parsed")


def parse(adapter: TypeAdapter[Parsed], text: str | bytes) -> Parsed:
    """The message in ``text``.

    Raises ProtocolError in one line, UnknownMessageError for a ``type`` of a later version.
    """
    if len(text) > MAX_CONTROL:
        raise ProtocolError(f"message longer than {MAX_CONTROL} characters")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise refusal(error) from None


def name_of(text: str) -> str | None:
    """What an error that answers ``text`` calls it: its ``id``, else its ``type``, else nothing."""
    if len(text) > MAX_CONTROL:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    names = (message.get("id"), message.get("type"))
    name = next((name[:100] for name in names if isinstance(name, str) and name), None)
    return name if name is None else well_formed(name)


def well_formed(text: str) -> str:
    """``text`` with ``?`` for lone surrogates: JSON can spell them, UTF-8 can't hold them."""
    return text.encode("utf-8", "replace").decode()


def refusal(error: ValidationError) -> ProtocolError:
    """The first thing that is wrong with a message, in one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "union_tag_invalid":
        tag = str(first.get("ctx", {}).get("tag", ""))[:40]
        return UnknownMessageError(f"unknown message type {tag!r}")
    where = ".".join(str(part) for part in first["loc"])[:100]
    what = first["msg"].removeprefix("Value error, ").splitlines()[0][:200]
    return ProtocolError(f"{where}: {what}" if where else what)
