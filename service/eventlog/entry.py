"""An entry: one message of a stream's log."""

from __future__ import annotations

from dataclasses import dataclass

from strad.wire.viewing import Logged


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of the log, and its JSON: made once, however many viewers there are."""

    seq: int
    message: Logged
    json: str
