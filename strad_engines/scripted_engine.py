"""An engine that answers from a script: for tests and demonstrations, no model at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from strad.errors import StradError
from strad_engines.engine_errors import EngineError, EngineSlowError
from strad_engines.messages import Generated, Message, Sampling

Line = str | Generated | StradError
"""What it says, or the error that is raised instead."""


class ScriptedEngine:
    """Answers line by line, or as a function of what it is asked; remembers what it was asked."""

    def __init__(
        self,
        script: Iterable[Line] | Callable[[Sequence[Message]], Line],
        *,
        name: str = "scripted",
        takes_s: float = 0.0,
    ) -> None:
        """``takes_s``: how long each answer takes, in seconds of the event loop."""
        self.name = name
        self.asked: list[tuple[Message, ...]] = []
        self._say = script if callable(script) else _line_by_line(iter(script))
        self._takes_s = takes_s

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        """The next line. Raises EngineError when the script is over, EngineSlowError in time."""
        self.asked.append(tuple(messages))
        try:
            async with asyncio.timeout(deadline_s):
                await asyncio.sleep(self._takes_s)
        except TimeoutError:
            raise EngineSlowError(f"{self.name}: no answer in {deadline_s:g} s") from None
        line = self._say(messages)
        if isinstance(line, StradError):
            raise line
        return line if isinstance(line, Generated) else Generated(line)


def _line_by_line(lines: Iterable[Line]) -> Callable[[Sequence[Message]], Line]:
    left = iter(lines)

    def say(_: Sequence[Message]) -> Line:
        return next(left, EngineError("the script is over"))

    return say
