"""What a stage has at hand for one record: its models by role, and chance that can be repeated."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from question_generation.ask import Answered, Ask, Wanted
from question_generation.asking import Asker
from question_generation.drop import Drop
from question_generation.spending import Spent
from question_generation.stage import WRITER
from strad.errors import InputError


@dataclass(slots=True)
class RecordDesk:
    """A ``Desk``."""

    seed: int
    stage: str
    """Name and version."""
    record: str
    """The record's id."""
    askers: Mapping[str, Asker]
    """By role."""
    spent: Spent = field(default_factory=Spent)
    """What this record took so far."""
    noted: list[Drop] = field(default_factory=list)
    """Why it goes on with less than it might have."""

    def random(self, purpose: str = "") -> Random:
        """See ``Desk``."""
        told = f"{self.seed}\n{self.stage}\n{self.record}\n{purpose}"
        return Random(int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big"))

    async def ask(self, ask: Ask[Wanted], *, of: str = WRITER) -> Answered[Wanted] | Drop:
        """See ``Desk``."""
        return await self._asker(of).ask(ask, seed=self.seed, stage=self.stage, spent=self.spent)

    def note(self, reason: str, detail: str = "") -> None:
        """See ``Desk``."""
        self.noted.append(Drop(reason, detail))

    def model(self, of: str = WRITER) -> str:
        """See ``Desk``."""
        return self._asker(of).name

    def _asker(self, role: str) -> Asker:
        if role not in self.askers:
            raise InputError(f"no model for the role {role!r}; there are: {sorted(self.askers)}")
        return self.askers[role]
