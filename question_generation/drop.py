"""A record that does not go on, and why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drop:
    """``reason`` is counted: a few words, the same for all records of one fate."""

    reason: str
    detail: str = ""
    """Of this record; for those who look at why, never counted."""
