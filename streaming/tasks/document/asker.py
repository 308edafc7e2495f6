"""Asking an engine with bounded patience: a few times what fails, or can't be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import EngineAnswerError, EngineError
from strad_engines.messages import Message, Sampling

T = TypeVar("T")

RETRY_TEMPERATURE = 0.7
"""Asked for greedily, an answer that can't be read would come again word for word."""


@dataclass(frozen=True, slots=True)
class Asker:
    """One engine, and how often it is tried."""

    engine: ChatEngine
    tries: int = 3
    deadline_s: float = 120.0
    """For one try; engines behind HTTP wait and ask again by themselves within it."""

    async def ask(
        self,
        messages: Sequence[Message],
        read: Callable[[str], T | None],
        *,
        max_tokens: int,
    ) -> T | None:
        """What ``read`` makes of the answer; None where no try could be read.

        Raises EngineError where the last try failed, and at once what asking again can't help.
        """
        found: T | None = None
        for number in range(self.tries):
            sampling = Sampling(
                max_tokens, temperature=RETRY_TEMPERATURE if number else 0.0, seed=number
            )
            try:
                answer = await self.engine.generate(messages, sampling, deadline_s=self.deadline_s)
            except EngineError as error:
                again = error.retryable or isinstance(error, EngineAnswerError)
                if not again or number + 1 == self.tries:
                    raise
                continue
            found = read(answer.text)
            if found is not None:
                return found
        return found
