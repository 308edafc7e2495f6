"""A chat model as a judge: greedy, seeded, its name in every key."""

from __future__ import annotations

from strad_engines.engine import ChatEngine
from strad_engines.messages import Message, Sampling
from strad_eval.judges.question import JudgeQuestion


class EngineJudge:
    """Asks an engine. Decoding is greedy; equal questions get equal answers where models do so."""

    def __init__(self, engine: ChatEngine, *, deadline_s: float = 110.0) -> None:
        """``deadline_s`` should lie below the panel's own limit, for its error says more."""
        self._engine, self._deadline_s = engine, deadline_s

    @property
    def name(self) -> str:
        return self._engine.name

    async def answer(self, question: JudgeQuestion) -> str:
        """Its answer. Raises EngineError."""
        messages = [Message.of("system", question.system), Message.of("user", question.user)]
        sampling = Sampling(max_tokens=question.max_tokens)
        found = await self._engine.generate(messages, sampling, deadline_s=self._deadline_s)
        return found.text
