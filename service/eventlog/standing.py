"""Where a log stands: what its newest messages say about the stream as a whole.

Kept beside the messages, so that it outlives those that are let go, and any process knows it
without reading them all.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from strad.errors import LogError
from strad.wire.answering import Error
from strad.wire.message import Part
from strad.wire.viewing import End, Logged, State


class Standing(Part):
    """What the messages so far amount to."""

    state: State | None = None
    """The newest state message."""
    error: Error | None = None
    """The newest error that ended the stream."""
    ended: bool = False
    """Whether the log holds all it ever will."""

    def after(self, message: Logged) -> Standing:
        """Where the log stands once it holds ``message`` too."""
        match message:
            case State():
                return self.model_copy(update={"state": message})
            case Error(fatal=True):
                return self.model_copy(update={"error": message})
            case End():
                return self.model_copy(update={"ended": True})
            case _:
                return self

    def to_json(self) -> str:
        return self.model_dump_json(exclude_defaults=True)

    @classmethod
    def parse(cls, json: str) -> Standing:
        """What was kept as ``json``. Raises LogError where this version can't read it."""
        try:
            return cls.model_validate_json(json)
        except ValidationError:
            raise LogError("the event log says of a stream what this version can't read") from None


@dataclass(frozen=True, slots=True)
class Listed:
    """One stream's newest log, as any process sees it."""

    stream: str
    log: str
    last: int
    standing: Standing
    owned: bool
    """Whether some process appends to it now."""
