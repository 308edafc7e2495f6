"""One question to a judge, and who answers it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """What is asked. Equal questions to the same judge have one answer: decoding is greedy."""

    system: str
    user: str
    max_tokens: int = 32

    def key(self, judge: str) -> str:
        """Names the question and who is asked: SHA-256 of both."""
        said = json.dumps([judge, self.system, self.user, self.max_tokens], ensure_ascii=True)
        return hashlib.sha256(said.encode()).hexdigest()


class Judge(Protocol):
    """A model that answers."""

    @property
    def name(self) -> str:
        """The model and everything that changes its answers: version, hash, settings."""
        ...

    async def answer(self, question: JudgeQuestion) -> str:
        """Its answer as text. Raises StradError when none can be had."""
        ...
