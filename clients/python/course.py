"""The course of a stream: what publishing it and watching it tell each other."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Course:
    """Of one stream that is described for one program."""

    began: asyncio.Event = field(default_factory=asyncio.Event)
    """It is published, so it can be watched: earlier, one of the same name would be."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """All that is said on it was heard, or nothing more is listened to."""
