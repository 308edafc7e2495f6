"""How long a prompt is, by the tokenizer of the model that will read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from strad_engines.messages import Message


class TokenCounter(Protocol):
    """Counts as the engine will: chat template, pictures and sound included."""

    async def count(self, messages: Sequence[Message], *, deadline_s: float) -> int:
        """Tokens of the whole prompt. Raises the errors of ``strad_engines.engine_errors``."""
        ...
