"""Asking an engine with bounded patience: a few times what fails, or can't be read.

A prompt that is longer than the model reads is made shorter and asked again: how much of its
context it keeps is told as a share of all, from 1 down to 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import (
    EngineAnswerError,
    EngineError,
    EngineRefusedError,
    EngineTooLongError,
)
from strad_engines.messages import Generated, Message, Sampling

T = TypeVar("T")
Prompt: TypeAlias = Callable[[float], Sequence[Message]]
"""The messages that keep such a share of the context; the oldest of it goes first."""

RETRY_TEMPERATURE = 0.7
"""Asked for greedily, an answer that can't be read would come again word for word."""
SHARES = (1.0, 0.5, 0.25, 0.0)
"""Of the context, tried in this order."""
ANSWERS = 3
"""An answer may take this part of all that the model reads."""


@dataclass(slots=True)
class Asker:
    """One engine, and how often it is tried."""

    engine: ChatEngine
    tries: int = 3
    deadline_s: float = 120.0
    """For one try; engines behind HTTP wait and ask again by themselves within it."""
    context: int | None = None
    """Tokens that the model reads and writes, where that is known."""
    held: bool = True
    """Whether answers are to be held to a schema; no longer once that was refused."""

    async def ask(
        self,
        prompt: Prompt,
        read: Callable[[str], T | None],
        *,
        max_tokens: int,
        schema: str | None = None,
    ) -> T | None:
        """What ``read`` makes of the answer; None where no try could be read.

        Raises EngineError where the last try failed, and at once what asking again can't help:
        EngineTooLongError where even without its context the prompt is too long.
        """
        found: T | None = None
        for number in range(self.tries):
            sampling = Sampling(
                self._room(max_tokens, self.context),
                temperature=RETRY_TEMPERATURE if number else 0.0,
                seed=number,
                schema=schema if self.held else None,
            )
            try:
                answer = await self._fitting(prompt, sampling)
            except EngineError as error:
                again = error.retryable or isinstance(error, EngineAnswerError)
                if not again or number + 1 == self.tries:
                    raise
                continue
            found = read(answer.text)
            if found is not None:
                return found
        return found

    async def _fitting(self, prompt: Prompt, sampling: Sampling) -> Generated:
        """The answer to as much of the context as the model reads.

        Each prompt starts from the whole: what was asked before, in this run or an earlier one,
        changes nothing.
        """
        refused: EngineTooLongError | None = None
        for share in SHARES:
            try:
                return await self._generated(prompt(share), sampling)
            except EngineTooLongError as error:
                refused = error
                room = self._room(sampling.max_tokens, error.limit)
                sampling = replace(sampling, max_tokens=room)
        assert refused is not None
        raise refused

    async def _generated(self, messages: Sequence[Message], sampling: Sampling) -> Generated:
        """Held to the schema where that can be had."""
        try:
            return await self._once(messages, sampling)
        except EngineTooLongError:
            raise
        except EngineRefusedError:
            if sampling.schema is None:
                raise
        answer = await self._once(messages, replace(sampling, schema=None))
        self.held = False
        return answer

    async def _once(self, messages: Sequence[Message], sampling: Sampling) -> Generated:
        if not self.held:
            sampling = replace(sampling, schema=None)
        return await self.engine.generate(messages, sampling, deadline_s=self.deadline_s)

    @staticmethod
    def _room(max_tokens: int, context: int | None) -> int:
        return max_tokens if context is None else max(1, min(max_tokens, context // ANSWERS))
