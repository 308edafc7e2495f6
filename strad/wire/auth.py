"""Who speaks: the first message of a peer that could send no header, and later ones to go on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from strad.wire.message import Message, parse

MAX_TOKEN = 8_192
"""Characters."""

SUBPROTOCOL = "strad.v1"
"""The WebSocket subprotocol a server picks when it is offered."""

TICKET_PROTOCOL = "strad-ticket."
"""A ticket begins so, and may be offered as a WebSocket subprotocol beside ``SUBPROTOCOL``."""


class Auth(Message):
    """A key, a token or a ticket. Sent first, or again before the one in use expires."""

    type: Literal["auth"] = "auth"
    id: Annotated[str | None, Field(max_length=100)] = None
    token: Annotated[str, StringConstraints(min_length=1, max_length=MAX_TOKEN)] = Field(repr=False)


AUTH: TypeAdapter[Auth] = TypeAdapter(Auth)


def may_be_auth(text: str) -> bool:
    """Whether ``text`` is worth reading as an auth message."""
    return len(text) <= MAX_TOKEN + 1_000 and '"auth"' in text


def parse_auth(text: str) -> Auth:
    """Raises ProtocolError."""
    return parse(AUTH, text)
