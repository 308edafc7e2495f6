"""How much an event log keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retention:
    """Older messages and logs are let go."""

    messages: int = 5_000
    """Of one stream."""
    logs: int = 32
    """Of streams that have ended."""
    near: int = 500
    """Messages of a stream that a process holds in memory, beside what is kept elsewhere."""

    @property
    def held(self) -> int:
        """``near``, where so many are kept at all."""
        return min(self.near, self.messages)
