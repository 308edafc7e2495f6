"""What describes segments: a protocol, what it answers, and asking an engine for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from strad.decision import WaitReason
from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineRefusedError
from strad_engines.messages import Generated, Message, Sampling
from streaming.tasks.segments.segment import Clip


@dataclass(frozen=True, slots=True)
class Said:
    """A description, or why the model's answer is none. Empty text: none."""

    text: str
    why: WaitReason | None = None


class SegmentDescriber(Protocol):
    """Describes segments, any number at once."""

    @property
    def name(self) -> str:
        """The model and the version of what it is asked."""
        ...

    @property
    def hears(self) -> bool:
        """Whether it wants the sound."""
        ...

    async def describe(self, clip: Clip) -> Said:
        """Raises EngineError where there is no answer in time."""
        ...


@dataclass(slots=True)
class Asker:
    """Asks an engine; holds answers to a form until it turns out that this can't be had."""

    engine: ChatEngine
    constrained: bool
    deadline_s: float = 120.0
    """For one request."""

    async def ask(
        self, messages: tuple[Message, ...], *, max_tokens: int, regex: str | None = None
    ) -> Generated:
        """One greedy answer, without a penalty on repeats (StrAD, 5.1)."""
        held = Sampling(max_tokens=max_tokens, regex=regex if self.constrained else None)
        try:
            return await self.engine.generate(messages, held, deadline_s=self.deadline_s)
        except EngineRefusedError:
            if held.regex is None:
                raise
            free = replace(held, regex=None)
            generated = await self.engine.generate(messages, free, deadline_s=self.deadline_s)
            self.constrained = False
            return generated
