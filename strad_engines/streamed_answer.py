"""A chat completion that comes in pieces, put together."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from strad_engines.engine_errors import EngineAnswerError
from strad_engines.messages import Generated, Token
from strad_engines.openai_wire import counts, read_tokens, server_stages, shown

END = b"[DONE]"
_THOUGHTS = ("reasoning", "reasoning_content")
"""Where servers put what a model thinks before it answers."""


@dataclass(slots=True)
class StreamedAnswer:
    """Feed it each event's data; it is whole once ``finished``."""

    begun_s: float
    """When it was sent, by the event loop."""
    trouble: tuple[int, bytes] | None = None
    """The status and words of an error that came instead of the rest."""
    _text: list[str] = field(default_factory=list)
    _tokens: list[Token] = field(default_factory=list)
    _thought: bool = False
    _finish: str | None = None
    _first_s: float | None = None
    _last_s: float = 0.0
    _counts: tuple[int | None, int | None] = (None, None)
    _stages: tuple[tuple[str, float], ...] = ()

    @property
    def finished(self) -> bool:
        """Whether the server said why it ended, and that was not a fault of its own."""
        return self._finish is not None and self._finish not in ("abort", "error")

    def add(self, data: bytes, now_s: float) -> None:
        """Take one event. Raises EngineAnswerError for what is no piece of an answer."""
        if data.strip() == END:
            return
        try:
            self._take(json.loads(data), data, now_s)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise EngineAnswerError(f"not a piece of a chat completion: {shown(data)}") from None

    def answer(self) -> Generated:
        """All of it. Raises EngineAnswerError where no text came at all."""
        if not self._text:
            why = ": the model only thought; turn its thinking off" if self._thought else ""
            raise EngineAnswerError(f"a chat completion without text{why}")
        return Generated(
            "".join(self._text),
            tuple(self._tokens),
            self._finish or "stop",
            *self._counts,
            self._measured(),
        )

    def _measured(self) -> tuple[tuple[str, float], ...]:
        if self._stages:
            rest = self._last_s - self.begun_s - sum(seconds for _, seconds in self._stages)
            return (*self._stages, ("transfer", max(0.0, rest)))
        first = self._first_s if self._first_s is not None else self._last_s
        return (("first_token", first - self.begun_s), ("decode", self._last_s - first))

    def _take(self, piece: dict[str, Any], data: bytes, now_s: float) -> None:
        if error := piece.get("error"):
            code = error.get("code") if isinstance(error, dict) else None
            self.trouble = (code if isinstance(code, int) else 500, data)
            return
        if usage := piece.get("usage"):
            self._counts = counts(usage)
        self._stages = server_stages(piece) or self._stages
        for choice in piece["choices"][:1]:
            self._take_choice(choice, now_s)

    def _take_choice(self, choice: dict[str, Any], now_s: float) -> None:
        delta = choice.get("delta") or {}
        text = delta.get("content")
        self._thought = self._thought or any(delta.get(name) for name in _THOUGHTS)
        tokens = read_tokens(choice)
        if text is not None:
            self._text.append("" + text)
        self._tokens += tokens
        if (text or tokens) and self._first_s is None:
            self._first_s = now_s
        self._last_s = now_s
        finish = choice.get("finish_reason")
        if finish is not None:
            self._finish = "" + finish
