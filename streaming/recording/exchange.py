"""Exchanges: what a describer asked its model about a window, and what the model answered.

The describer knows nothing of it: its engine is wrapped, and what passes while one window is being
decided belongs to that window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any, TypeAlias

from strad.decision import Decision
from strad_engines.engine import ChatEngine
from strad_engines.messages import Audio, Generated, Image, Message, Part, Sampling, Text, Video
from streaming.describers.describer import Describer
from streaming.recording.lines import Line, digest
from streaming.window import Window

Tell: TypeAlias = Callable[[Line], None]

_passing: ContextVar[list[Line] | None] = ContextVar("strad_exchange", default=None)


class OverheardEngine:
    """A ChatEngine. Where nobody listens it only passes things on."""

    def __init__(self, engine: ChatEngine) -> None:
        self._engine = engine

    @property
    def name(self) -> str:
        return self._engine.name

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        generated = await self._engine.generate(messages, sampling, deadline_s=deadline_s)
        if (passing := _passing.get()) is not None:
            passing.append(_request(messages, sampling, generated, self.name))
        return generated


class RecordedDescriber:
    """A Describer whose requests are told, with its decision, window by window."""

    def __init__(self, describer: Describer, tell: Tell, *, texts: bool) -> None:
        """``texts``: whether prompts and answers are told word for word, or by their hash."""
        self._describer = describer
        self._tell = tell
        self._texts = texts

    @property
    def name(self) -> str:
        return self._describer.name

    @property
    def draft(self) -> bool:
        return self._describer.draft

    async def decide(self, window: Window) -> Decision:
        requests: list[Line] = []
        token = _passing.set(requests)
        try:
            return await self._describer.decide(window)
        finally:
            _passing.reset(token)
            if requests:
                told = requests if self._texts else [_hashed(request) for request in requests]
                self._tell({"exchange": window.when.end, "requests": told})

    async def aclose(self) -> None:
        await self._describer.aclose()


def _request(
    messages: Sequence[Message], sampling: Sampling, generated: Generated, engine: str
) -> Line:
    first = generated.tokens[0] if generated.tokens else None
    return {
        "engine": engine,
        "messages": [
            {"role": message.role, "parts": [_part(part) for part in message.parts]}
            for message in messages
        ],
        "sampling": {
            "max_tokens": sampling.max_tokens,
            "temperature": sampling.temperature,
            "presence_penalty": sampling.presence_penalty,
            "regex": sampling.regex,
        },
        "answer": generated.text,
        "finish": generated.finish,
        "first": None
        if first is None
        else [[first.text, first.log_probability]]
        + [list(other) for other in first.alternatives[:5]],
        "tokens": [generated.prompt_tokens, generated.completion_tokens],
    }


def _part(part: Part) -> Line:
    match part:
        case Text(text):
            return {"text": text}
        case Image(data):
            return {"image": digest(data)}
        case Audio(data):
            return {"audio": digest(data)}
        case Video(frames):
            return {"video": [digest(frame.data) for frame in frames]}


def _hashed(request: Line) -> Line:
    def part(known: dict[str, Any]) -> Line:
        return {"text_sha256": digest(known["text"].encode())} if "text" in known else known

    messages = [
        {"role": message["role"], "parts": [part(each) for each in message["parts"]]}
        for message in request["messages"]
    ]
    answer = digest(request["answer"].encode())
    rest = {key: value for key, value in request.items() if key not in ("answer", "first")}
    return {**rest, "messages": messages, "answer_sha256": answer}
