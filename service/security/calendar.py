"""The calendar: the date, for what expires at one. Everything else counts ``loop.time()``."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment, in UTC."""
    return datetime.now(UTC)


def seconds_until(moment: datetime) -> float:
    """Seconds from now; negative when it has passed."""
    return (moment - now()).total_seconds()
