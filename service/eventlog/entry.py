"""An entry: one message of a stream's log."""

from __future__ import annotations

from dataclasses import dataclass

from strad.errors import LogError, ProtocolError
from strad.wire.viewing import Logged, parse_logged


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the log, and its JSON: made once, however many viewers there are."""

    seq: int
    message: Logged
    json: str

    @classmethod
    def of(cls, message: Logged) -> Entry:
        return cls(message.seq, message, message.to_json())

    @classmethod
    def parse(cls, json: str) -> Entry:
        """What was kept as ``json``. Raises LogError where this version can't read it."""
        try:
            message = parse_logged(json)
        except ProtocolError as error:
            raise LogError(f"the event log holds a message that can't be read: {error}") from None
        return cls(message.seq, message, json)
