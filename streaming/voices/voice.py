"""The one thing placement asks of a voice."""

from __future__ import annotations

from typing import Protocol

from strad.timeline import Ms


class Voice(Protocol):
    """Knows how long it takes to say something at its own rate."""

    async def duration(self, text: str, language: str) -> Ms:
        """Spoken length of ``text``."""
