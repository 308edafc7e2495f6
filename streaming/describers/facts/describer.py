"""``facts``: the embedded default describer. One instance a stream, around shared models."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from strad.decision import Decision, Wait, WaitReason
from streaming.describers.facts.claim import Evidence
from streaming.describers.facts.eyes import Glance
from streaming.describers.facts.models import FactsModels
from streaming.describers.facts.narrator import Narrator
from streaming.window import Window

MOST_FRAMES = 4
"""Frames studied for one window, the newest: speech may have kept it from being asked before."""


class FactsDescriber:
    """Says what detectors saw with confidence, and waits otherwise. See ``narrator``."""

    name = "facts"
    draft = True

    def __init__(self, models: FactsModels) -> None:
        self._models = models
        self._narrator = Narrator()
        self._last: Glance | None = None
        self._turn = asyncio.Lock()

    @property
    def evidence(self) -> Sequence[Evidence]:
        """The newest descriptions with the detections behind each, oldest first."""
        return tuple(self._narrator.evidence)

    async def decide(self, window: Window) -> Decision:
        """Look at the frames that are new, then answer from all of the window's."""
        if not window.frames:
            return Wait(WaitReason.NO_FRAMES)
        async with self._turn:
            fresh = self._narrator.unseen(window.frames, MOST_FRAMES)
            looks, self._last = await self._models.look(fresh, self._last)
            self._narrator.add(looks)
            return self._narrator.decide(window)

    async def aclose(self) -> None:
        """Forget the last picture. The models are shared and stay."""
        self._last = None
