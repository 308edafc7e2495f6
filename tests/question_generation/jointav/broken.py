"""An engine some of whose answers are spoilt, in the ways that models spoil them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from strad_engines.engine import ChatEngine
from strad_engines.messages import Generated, Message, Sampling, Text


def _repeated(text: str) -> str:
    """Every list holds its first member only, again and again."""
    return json.dumps(_each(json.loads(text), lambda x: [x[0]] * len(x) if x else x, list))


def _mistyped(text: str) -> str:
    return json.dumps(_each(json.loads(text), lambda x: 7, (str, bool)))


def _emptied(text: str) -> str:
    return json.dumps(_each(json.loads(text), lambda x: "", str))


def _foreign(text: str) -> str:
    told = "\u00bfQu\u00e9 hace la mujer con la puerta en la escena del hombre?"
    return json.dumps(_each(json.loads(text), lambda x: told, str))


SPOILS: tuple[Callable[[str], str], ...] = (
    lambda text: "",
    lambda text: text[: len(text) // 2],
    lambda text: "I am sorry, but I can't see any film.",
    lambda text: f"Of course!\n```json\n{text}\n```\nIs there **anything** else?",
    lambda text: "[]",
    lambda text: "null",
    lambda text: '{"letter": "A and B"}',
    lambda text: text.replace("]", ",]"),
    lambda text: '{"a": ' * 2_000,
    _repeated,
    _mistyped,
    _emptied,
    _foreign,
)


@dataclass(slots=True)
class BreakingEngine:
    """``share`` of a hundred answers are spoilt; which, hangs on the words asked with."""

    whole: ChatEngine
    share: int
    broken: int = 0

    @property
    def name(self) -> str:
        return f"broken {self.whole.name}"

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, *, deadline_s: float
    ) -> Generated:
        given = await self.whole.generate(messages, sampling, deadline_s=deadline_s)
        words = "".join(p.text for m in messages for p in m.parts if isinstance(p, Text))
        draw = int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "big")
        if draw % 100 >= self.share:
            return given
        self.broken += 1
        return replace(given, text=SPOILS[draw // 100 % len(SPOILS)](given.text))


def _each(value: Any, change: Callable[[Any], Any], kind: Any) -> Any:
    """The same JSON with every value of this kind changed."""
    if isinstance(value, dict):
        value = {key: _each(one, change, kind) for key, one in value.items()}
    elif isinstance(value, list):
        value = [_each(one, change, kind) for one in value]
    return change(value) if isinstance(value, kind) else value
