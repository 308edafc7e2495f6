"""A traced describer: a span for each window it is asked about."""

from __future__ import annotations

from service.operations.tracing import Tracer
from strad.decision import Decision
from strad.timeline import to_seconds
from streaming.describers.describer import Describer
from streaming.window import Window


class TracedDescriber:
    """Answers as the one behind it."""

    def __init__(self, describer: Describer, tracer: Tracer) -> None:
        self._describer = describer
        self._tracer = tracer
        self.name = describer.name
        self.draft = describer.draft

    async def decide(self, window: Window) -> Decision:
        """See ``Describer``."""
        with self._tracer.span("strad.window", end=to_seconds(window.when.end)):
            return await self._describer.decide(window)

    async def aclose(self) -> None:
        """See ``Describer``."""
        await self._describer.aclose()
