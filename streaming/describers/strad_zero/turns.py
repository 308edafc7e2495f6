"""Windows of one stream in flight together: captions at the same time, decisions in media order.

A caption needs nothing from the window before it; a decision must know what was just described. So
each window takes its turn when it is asked about, and waits before it decides until those ahead of
it are over. What they describe is in no history yet: it is handed on here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from strad.cues import Cue
from strad.decision import Decision, Describe
from streaming.window import Window


@dataclass(eq=False, slots=True)
class Turn:
    """One window's."""

    ahead: tuple[Turn, ...]
    over: asyncio.Event = field(default_factory=asyncio.Event)
    said: Cue | None = None

    async def come(self, window: Window) -> Window:
        """Wait for those ahead; the window with what they have described in its history."""
        for turn in self.ahead:
            await turn.over.wait()
        said = [turn.said for turn in self.ahead if turn.said is not None]
        return replace(window, history=(*window.history, *said)) if said else window

    def describes(self, decision: Decision, language: str) -> None:
        """Hand on what was decided."""
        if isinstance(decision, Describe):
            self.said = Cue(decision.when, decision.forms[-1], language)


class Turns:
    """Those of one stream that are not over, in the order in which they were asked about."""

    def __init__(self) -> None:
        self._open: list[Turn] = []

    @contextmanager
    def take(self) -> Iterator[Turn]:
        """The next turn; leaving the context ends it, however the window ended."""
        turn = Turn(tuple(self._open))
        self._open.append(turn)
        try:
            yield turn
        finally:
            self._open.remove(turn)
            turn.over.set()
