"""A Session that says how long it took."""

from __future__ import annotations

from collections.abc import Callable

from streaming.config import StreamConfig
from streaming.effects import Effect
from streaming.facts import Fact
from streaming.session import Session


class ClockedSession(Session):
    """Windows, gaps and placement happen in ``feed``: ``spent`` is what they cost, in seconds."""

    def __init__(
        self, config: StreamConfig, clock: Callable[[], float], *, describer: str, draft: bool
    ) -> None:
        super().__init__(config, describer=describer, draft=draft)
        self._wall = clock
        self.spent = 0.0

    def feed(self, fact: Fact) -> list[Effect]:
        begun = self._wall()
        effects = super().feed(fact)
        self.spent += self._wall() - begun
        return effects
