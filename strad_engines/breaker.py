"""A circuit breaker: an engine that fails again and again is left alone, then tried by one request.

``up`` lets everything through. So many failures in a row that may pass (EngineBusyError,
EngineSlowError) make it ``down``: requests are refused at once. After a pause the next request is
let through alone, as the probe; what comes meanwhile is refused. A probe that is answered ends it,
one that fails makes the pause longer, up to a bound. A refusal is an answer: the engine is alive.
Time is the event loop's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from strad_engines.engine import ChatEngine
from strad_engines.engine_errors import (
    EngineDownError,
    EngineError,
    EngineRefusedError,
)
from strad_engines.messages import Generated, Message, Sampling


@dataclass(frozen=True, slots=True)
class BreakerRule:
    """When it opens and for how long, in seconds."""

    failures: int = 3
    """So many in a row open it."""
    first_pause_s: float = 1.0
    longest_pause_s: float = 30.0
    """Each failed probe doubles the pause, up to this."""


@dataclass(frozen=True, slots=True)
class Health:
    """How the engine is."""

    state: Literal["up", "probing", "down"]
    since_s: float | None = None
    """The event loop's time of the change; None: so from the start."""
    why: str = ""
    """The failure that made it so; empty while it is up."""


class Breaker:
    """A ``ChatEngine`` that guards another. For one event loop."""

    def __init__(
        self,
        engine: ChatEngine,
        rule: BreakerRule | None = None,
        told: Callable[[Health], None] = lambda _: None,
    ) -> None:
        """``told`` hears of each change of health; it must not wait, nor raise."""
        self._engine, self._rule, self._told = engine, rule or BreakerRule(), told
        self._health = Health("up")
        self._in_a_row = 0
        self._pause_s = self._rule.first_pause_s
        self._probe_from_s = 0.0
        self._turn = 0  # answers to what was sent before the last change count no more

    @property
    def name(self) -> str:
        return self._engine.name

    @property
    def health(self) -> Health:
        """How the engine is now."""
        return self._health

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The engine's answer. Raises EngineDownError, at once, while it is down."""
        turn = self._admitted()
        answered = False
        try:
            found = await self._engine.generate(messages, sampling, deadline_s=deadline_s)
            answered = True
        except EngineRefusedError:
            answered = True
            raise
        except EngineError as error:
            if turn == self._turn:
                self._failed(error)
            raise
        finally:
            if turn == self._turn:
                self._ended(answered=answered)
        return found

    def _admitted(self) -> int:
        """Let one request through, perhaps as the probe; its turn. Raises EngineDownError."""
        health, now = self._health, asyncio.get_running_loop().time()
        if health.state == "probing":
            raise EngineDownError(f"{self.name} is down and being tried: {health.why}")
        if health.state == "down":
            left = self._probe_from_s - now
            if left > 0:
                raise EngineDownError(
                    f"{self.name} is down, to be tried again in {left:.1f} s: {health.why}"
                )
            self._become("probing", health.why)
        return self._turn

    def _failed(self, error: EngineError) -> None:
        if self._health.state == "probing":
            self._pause_s = min(2 * self._pause_s, self._rule.longest_pause_s)
            self._open(str(error), self._pause_s)
        elif error.retryable:
            self._in_a_row += 1
            if self._in_a_row >= self._rule.failures:
                self._open(str(error), self._pause_s)

    def _ended(self, *, answered: bool) -> None:
        """A request that did not open the breaker has ended."""
        if answered:
            self._in_a_row = 0
            if self._health.state == "probing":
                self._pause_s = self._rule.first_pause_s
                self._become("up", "")
        elif self._health.state == "probing":
            self._open(self._health.why, 0.0)  # the probe was cancelled: nothing is known

    def _open(self, why: str, pause_s: float) -> None:
        self._probe_from_s = asyncio.get_running_loop().time() + pause_s
        self._become("down", why)

    def _become(self, state: Literal["up", "probing", "down"], why: str) -> None:
        self._turn += 1
        self._health = Health(state, asyncio.get_running_loop().time(), why)
        self._told(self._health)
