"""A chat model as a judge: greedy, seeded, its name in every key."""

from __future__ import annotations

from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineBusyError, EngineError
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
        """Its answer. Raises EngineError.

        An engine that was out of reach until the deadline has asked often enough: no more of it.
        """
        messages = [Message.of("system", question.system), Message.of("user", question.user)]
        sampling = Sampling(max_tokens=question.max_tokens)
        try:
            found = await self._engine.generate(messages, sampling, deadline_s=self._deadline_s)
        except EngineBusyError as error:
            raise EngineError(str(error)) from None
        return found.text
