"""One window's talk with the model: at most a few requests, one deadline, and what each cost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from strad.decision import Stages
from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated, Message, Sampling

SHORTEST_S = 0.001
"""Even a request made at the deadline has some time, to fail of it in the engine's own words."""


class Talk:
    """Asks an engine about one window. Its stages add up over all requests."""

    def __init__(self, engine: ChatEngine, deadline_s: float) -> None:
        self._engine = engine
        self._clock = asyncio.get_running_loop().time
        self._end = self._clock() + deadline_s
        self._at = self._clock()
        self._stages: dict[str, float] = {}

    @property
    def stages(self) -> Stages:
        """Wall seconds by stage so far, in the order in which each was first met."""
        return tuple(self._stages.items())

    @property
    def left_s(self) -> float:
        """Seconds to the deadline."""
        return max(SHORTEST_S, self._end - self._clock())

    def did(self, stage: str) -> None:
        """Put the time since the last stage down to ``stage``."""
        now = self._clock()
        self._add(stage, now - self._at)
        self._at = now

    async def ask(
        self, messages: Sequence[Message], sampling: Sampling, *, stage: str | None = None
    ) -> Generated:
        """The engine's answer. Raises the errors of ``strad_engines.engine_errors``.

        All of its time goes to ``stage``, or else to the stages that the engine tells apart.
        """
        generated = await self._engine.generate(messages, sampling, deadline_s=self.left_s)
        if stage is not None:
            self.did(stage)
            return generated
        known = sum(seconds for _, seconds in generated.stages)
        for stage, seconds in generated.stages:
            self._add(stage, seconds)
        now = self._clock()
        self._add("engine", max(0.0, now - self._at - known))
        self._at = now
        return generated

    def _add(self, stage: str, seconds: float) -> None:
        self._stages[stage] = self._stages.get(stage, 0.0) + seconds
