"""Engines that answer by a script and remember how they were asked."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from strad_engines.engine_errors import EngineError, EngineRefusedError
from strad_engines.messages import Generated, Message, Sampling, Text, Token, Video

Answer: TypeAlias = Generated | EngineError


def answer(text: str, odds: float | None = None) -> Generated:
    """``text``; with ``odds`` also the first token's chances of the two words."""
    if odds is None:
        return Generated(text)
    describe = -math.log1p(math.exp(-odds))
    chances = (("AD", describe), ("WAIT", describe - odds))
    first = Token(text.split(" ")[0], dict(chances).get(text.split(" ")[0], -9.0), chances)
    return Generated(text, (first,), stages=(("prefill", 0.5), ("decode", 0.25)))


@dataclass(frozen=True, slots=True)
class Asked:
    """One request."""

    messages: tuple[Message, ...]
    sampling: Sampling
    deadline_s: float


class AskedEngine:
    """Gives its answers one after the other. Takes ``seconds`` for each, on the loop's clock."""

    name = "asked"

    def __init__(self, *answers: Answer, seconds: float = 0.0, constrains: bool = True) -> None:
        self._left = list(answers)
        self._seconds = seconds
        self._constrains = constrains
        self.asked: list[Asked] = []
        self.at_once = self.most_at_once = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        self.asked.append(Asked(tuple(messages), sampling, deadline_s))
        self.at_once += 1
        self.most_at_once = max(self.at_once, self.most_at_once)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            self.at_once -= 1
        if sampling.regex is not None and not self._constrains:
            raise EngineRefusedError("asked: no regular expressions here")
        found = self._left.pop(0)
        if isinstance(found, EngineError):
            raise found
        return found


class CountingEngine(AskedEngine):
    """Says how many tokens a prompt was: those of its text, and ``picture`` for each picture."""

    def __init__(self, *answers: Answer, count: Callable[[str], int], picture: int) -> None:
        super().__init__(*answers)
        self._count, self._picture = count, picture
        self.counted = 0

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        generated = await super().generate(messages, sampling, deadline_s=deadline_s)
        return replace(generated, prompt_tokens=self.size(messages))

    async def count(self, messages: Sequence[Message], *, deadline_s: float) -> int:
        self.counted += 1
        return self.size(messages)

    def size(self, messages: Sequence[Message]) -> int:
        videos = [p for m in messages for p in m.parts if isinstance(p, Video)]
        pictures = sum(len(video.frames) for video in videos)
        return self._picture * pictures + sum(self._count(text) for text in texts(messages))


def texts(messages: Iterable[Message]) -> list[str]:
    """All the words of a prompt, part by part."""
    return [p.text for message in messages for p in message.parts if isinstance(p, Text)]
