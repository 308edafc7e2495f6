"""The one thing a describer must do."""

from __future__ import annotations

from typing import Protocol

from strad.decision import Decision
from streaming.window import Window


class Describer(Protocol):
    """Answers windows of one stream. Model work happens off the event loop's thread."""

    @property
    def name(self) -> str:
        """What provenance calls it, with its model: ``facts``, ``strad-ft:NAME``."""

    @property
    def draft(self) -> bool:
        """Whether its output must be labelled a draft."""

    async def decide(self, window: Window) -> Decision:
        """Wait or describe. Raises DescriberError when it can't tell."""

    async def aclose(self) -> None:
        """Give back what it holds. Safe to call twice."""
