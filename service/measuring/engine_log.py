"""An engine that writes down what answers cost, and can make them all one length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated, Message, Sampling

TOKENS = 30
"""Of a forced answer: an AD of nine words and its two times."""

LONG = "[a-z ]{400,600}"
"""What a model is held to that must not end its answer before it is cut."""


@dataclass(slots=True)
class EngineLog:
    """Passes everything on. For one stream at a time."""

    engine: ChatEngine
    forced: str | None = None
    """Where set, the model writes ``TOKENS`` tokens and this is what counts as its answer."""
    answers: list[Generated] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.engine.name

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The engine's answer, or the forced one at the price of a real one."""
        if self.forced is not None:
            held = LONG if sampling.regex is not None else None
            sampling = replace(sampling, max_tokens=TOKENS, regex=held, stop=())
        found = await self.engine.generate(messages, sampling, deadline_s=deadline_s)
        self.answers.append(found)
        if self.forced is None:
            return found
        return replace(found, text=self.forced, tokens=(), finish="stop")
