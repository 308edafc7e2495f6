"""A count with its noun, as a person reads it. Pure."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """``1 video``, ``2,000 videos``; ``many`` where it is not ``one`` with an s."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"
